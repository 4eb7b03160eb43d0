/** The environment variable with a process's memory limit. */
export const memoryVariable = 'PV_MEMORY_MB';

/** The variable that holds the secret of CI's evidence. No process that runs the code of strangers is given it. */
export const secretVariable = 'PV_SECRET';
