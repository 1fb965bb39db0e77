// The element of a page whose figure is a scene in the reader's hand.

customElements.define('loupe-figure', LoupeFigure);

// A hint that fades says how the figure is used, and later the zoom while it changes.
const hint = document.getElementById('hint');
let lastZoom = '';
document.addEventListener('loupechange', (event) => {
    const zoom = /** @type {CustomEvent<LoupeState>} */ (event).detail.zoom.toFixed(1);
    if (hint && lastZoom && zoom !== lastZoom) {
        hint.textContent = `${zoom}×`;
        hint.animate([{opacity: 1}, {opacity: 1}, {opacity: 0}], 1500);
    }
    lastZoom = zoom;
});
