// The script of every page: what belongs to its header and footer, the message after sharing, and this browser’s own documents.
import '../device/load-device.ts'
import '../share/load-toast.ts'
import './load-theme-switch.ts'
import './sign-out-link.ts'
