/** The look of the toast. It comes with its script, so that readers don't load it. */
const STYLES = `
.share-toast {
  position: fixed;
  right: max(1rem, env(safe-area-inset-right));
  bottom: max(1rem, env(safe-area-inset-bottom));
  z-index: 20;
  display: grid;
  gap: var(--space-3);
  width: min(26rem, calc(100vw - 2rem));
  max-height: calc(100dvh - 2rem);
  padding: var(--space-3) var(--space-3) var(--space-3) var(--space-4);
  overflow: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: var(--radius-large);
  box-shadow: var(--shadow-large);
  font-size: var(--small);
  animation: share-toast var(--slow) var(--ease);
}
@keyframes share-toast {
  from { opacity: 0; transform: translateY(0.75rem); }
}
.share-toast [hidden] { display: none; }
.share-toast p { margin: 0; }
.share-toast .toast-row { display: flex; align-items: center; gap: var(--space-1); }
.share-toast .toast-message { flex: 1; font-weight: var(--bold); }
.share-toast .toast-row button {
  min-width: var(--control-small);
  min-height: var(--control-small);
  margin: 0;
  padding: 0 var(--space-3);
  background: none;
  color: var(--accent);
  border: 0;
}
.share-toast .toast-row button:hover { background: var(--hover); }
.share-toast .toast-row button[aria-expanded="true"] { background: var(--tint); }
.share-toast .toast-row .toast-close { padding: 0; color: var(--muted); font-size: 1.25rem; font-weight: 400; }
.share-toast .toast-field { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-1) var(--space-2); }
.share-toast label { grid-column: 1 / -1; }
.share-toast input { min-height: var(--control-small); font-family: var(--mono); }
.share-toast .toast-field button { min-height: var(--control-small); margin: 0; padding: 0 var(--space-3); }
.share-toast .toast-hint { color: var(--muted); font-size: var(--text-sm); }
.share-toast .toast-error { color: var(--danger); }
.share-toast svg { display: block; width: min(14rem, 100%); margin: 0 auto; border-radius: var(--radius); }
@media print { .share-toast { display: none; } }
`

/** Adds the styles of the toast to the page. */
export function addToastStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
}
