"""The drawings behind tools/make/reference-pages: one module a page, each with `pages()`, name to picture."""
