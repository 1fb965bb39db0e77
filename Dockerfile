# An image of loupe-render with a software driver, for a user without rights:
#
#     docker build -t loupe-render .
#     docker run --rm -v "$PWD:/work" loupe-render page.png -o out.png --at 80,60
#
# The user has the number 1000; give another one with --user "$(id -u)". tools/check/packages builds the same root file
# system without Docker, by the same script, and tries it.
FROM swift:6.1-bookworm AS build
WORKDIR /loupe
COPY . .
RUN tools/packaging/image build

FROM debian:bookworm-slim
COPY --from=build /loupe/dist/loupe-render_*.deb /loupe/tools/packaging/image /tmp/loupe/
RUN /tmp/loupe/image install /tmp/loupe/loupe-render_*.deb && rm -r /tmp/loupe
USER loupe
WORKDIR /work
ENTRYPOINT ["loupe-render"]
