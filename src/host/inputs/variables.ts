/** The variable of the environment that tells a process its limit. */
export const memoryVariable = 'PV_MEMORY_MB';

/** The variable that holds the secret of CI's evidence. No process that runs the code of strangers is given it. */
export const secretVariable = 'PV_SECRET';
