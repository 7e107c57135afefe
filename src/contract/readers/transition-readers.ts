import { packageInformation } from './page-readers.ts'

/** The readers of the JSON responses to `transitionRoutes`: the package in its new state. */
export const transitionReaders = {
  routePackage: packageInformation,
  voidPackage: packageInformation,
  unvoidPackage: packageInformation,
  restartPackage: packageInformation,
  returnPackage: packageInformation,
  removePackage: packageInformation,
  reinitiatePackage: packageInformation,
  returnToInitiator: packageInformation,
}
