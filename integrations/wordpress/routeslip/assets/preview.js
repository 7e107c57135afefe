// Loads the elements in the editor: in its own page, and in the frame that some editors show blocks in. That frame loads
// scripts without their type, so this one is not a module.
import(new URL('../dist/routeslip-autoload.js', document.currentScript.src))
