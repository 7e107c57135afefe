// Requests the package of the page before anything else happens.
import { readPageEarly } from '../elements/loading/early-page.ts'

readPageEarly()
