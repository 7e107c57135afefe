// Reaches a declaration into which a test puts an import of a missing module.
import { createClient } from 'routeslip/client'

console.log(createClient)
