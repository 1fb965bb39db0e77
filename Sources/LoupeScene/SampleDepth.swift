/// How many bits a picture has for each channel.
public enum SampleDepth: Int, Hashable, Sendable, CaseIterable {
    case eight = 8
    case sixteen = 16
}
