"""The drawings behind tools/make-pages: one module a page, each with `pages()`, name to picture."""
