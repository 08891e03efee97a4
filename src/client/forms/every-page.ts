// The script of every page: what belongs to its header and footer, and the message after sharing.
import '../share/load-toast.ts'
import './sign-out-link.ts'
import './theme-switch.ts'
