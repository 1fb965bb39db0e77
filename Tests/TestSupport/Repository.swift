/// Where the files that tests read and write lie: the folder of Package.swift.
public enum Repository {
    /// Without a slash at the end.
    public static let path: String = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    public static let referenceImages = path + "/reference-images"
    public static let pages = referenceImages + "/pages"
}
