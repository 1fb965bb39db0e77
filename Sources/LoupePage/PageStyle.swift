/// What all pages look like.
package enum PageStyle {
    /// The style sheet that a page's own comes after.
    package static let base = String(decoding: PackageResources.base_css, as: UTF8.self)
}
