const isPublic = ({ name, privacy }) =>
  privacy !== 'private' && privacy !== 'protected' && !/^[_#]/.test(name ?? '')

export default {
  globs: ['src/elements/**/*.ts', 'src/define/*.ts'],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [
    {
      name: 'public-and-named',
      packageLinkPhase({ customElementsManifest }) {
        for (const { declarations = [] } of customElementsManifest.modules) {
          for (const declaration of declarations) {
            if (declaration.members) declaration.members = declaration.members.filter(isPublic)
            // For `dispatchEvent(new SomeEvent())` the analyzer adds a nameless event beside the one of `@fires`.
            if (declaration.events) declaration.events = declaration.events.filter(({ name }) => name)
          }
        }
      },
    },
  ],
}
