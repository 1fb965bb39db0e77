import LoupeImaging

/// Any picture, to sRGB: what is read has the size that was told beforehand, and the same bytes each time.
func checkPicture(_ bytes: [UInt8]) {
    guard let image = try? ImageFile.decode(bytes, name: "", limits: .fuzzing) else { return }
    precondition(image.pixels.count == image.width * image.height * 4)
    guard let size = try? ImageFile.size(of: bytes, name: "") else { preconditionFailure("a picture has no size") }
    precondition(size == (image.width, image.height), "the picture has another size than was told")
    precondition((try? ImageFile.decode(bytes, name: "", limits: .fuzzing)) == image, "read again, it is another")
}
