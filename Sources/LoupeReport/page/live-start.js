// The element of a page whose figure is a scene in the reader's hand.

customElements.define('loupe-figure', LoupeFigure);
