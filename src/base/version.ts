/** The version of pv: the one that package.json declares (a test compares them). */
export const version = '0.1.0';
