// The script of every page: what belongs to its header and footer.
import './sign-out-link.ts'
import './theme-switch.ts'
