import { requireElement } from '../shared/elements.ts'
import { startFiles } from './files.ts'

startFiles(requireElement('div.files'))
