/** A configuration that is not valid. The message has one line per problem, for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
