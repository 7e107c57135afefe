/** Returns a text in the format of the project. The name tells which language it is in. */
export function formatted(name: string, text: string): Promise<string>
