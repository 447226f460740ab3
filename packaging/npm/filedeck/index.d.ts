/** The path of the filedeck binary of this machine. Throws where there is none. */
export function binaryPath(): string;
