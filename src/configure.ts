// The entry `routeslip/configure`: the page-wide configuration without the elements.
export {
  type Configuration,
  configure,
  type PageConfiguration,
} from './elements/configuration/configuration.ts'
