import { dirname } from 'node:path'
import ts from 'typescript'

/**
 * Returns the problems that TypeScript 6 finds in those files of a project, and in its options.
 * Projects share the declarations of the language, which take most of the time to parse.
 */
export function problemsIn(config: string, isChecked: (path: string) => boolean): string {
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    dirname(config),
  )
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (file, ...rest) => {
    if (!/[/]typescript[/]lib[/]lib[.][\w.]+[.]d[.]ts$/.test(file)) return read(file, ...rest)
    const known = libraries.get(file) ?? read(file, ...rest)
    libraries.set(file, known)
    return known
  }
  const program = ts.createProgram({ rootNames: fileNames, options, host })
  const files = program.getSourceFiles().filter(({ fileName }) => isChecked(fileName))
  const problems = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return ts.formatDiagnostics(problems, host)
}

const libraries = new Map<string, ts.SourceFile | undefined>()
