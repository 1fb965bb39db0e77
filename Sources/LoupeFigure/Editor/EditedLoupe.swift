import LoupeBase
import LoupeScene

/// A loupe of a figure that is edited, as the options of its command have it.
struct EditedLoupe: Hashable, Sendable {
    /// The part of the command that says it.
    enum Source: Hashable, Sendable {
        /// In `--at` and the flags beside it.
        case flags
        /// In a `--callout`; the number of its entry.
        case callout(Int)
        /// In a `--loupe`; the number of its entry.
        case words(Int)
    }

    let source: Source
    /// Its own options, `at` and `focus` among them.
    private(set) var own: GivenOptions

    /// The loupes of some options, in the order in which they are drawn.
    static func all(in options: GivenOptions) -> [EditedLoupe] {
        func entries(_ option: PictureOption) -> [Int] {
            options.entries.indices.filter { options.entries[$0].name == option.name }
        }
        let flags = options.has(.at) ? [EditedLoupe(source: .flags, own: options)] : []
        let callouts = entries(.callout).map { index in
            let text = String(decoding: options.entries[index].value, as: UTF8.self)
            let (target, words) = CalloutTarget.parts(of: text)
            var own = GivenOptions.ofWords(words)
            let sides = CalloutTarget.texts(of: target)
            own.set(.focus, to: sides.focus)
            own.set(.at, to: sides.center)
            return EditedLoupe(source: .callout(index), own: own)
        }
        let words = entries(.loupe).map { index in
            EditedLoupe(
                source: .words(index),
                own: .ofWords(String(decoding: options.entries[index].value, as: UTF8.self)))
        }
        return flags + callouts + words
    }

    /// The text of one of its options; nil where it is not given for this loupe alone.
    func text(_ option: PictureOption) -> String? { own.text(option) }

    /// Whether it has a ring and lines unless its options say otherwise.
    var isCallout: Bool { if case .callout = source { true } else { false } }

    /// Whether a place is found for it.
    var isUnplaced: Bool { text(.at) == nil }

    /// Whether it shows a region, and not what is around a point.
    var hasRegion: Bool { text(.focus).flatMap { FocusTarget(text: $0) }?.isRegion == true }

    /// Sets one of its options, or lets it go.
    /// - Throws: `ComposeError` for a text that no word can have.
    mutating func set(_ option: PictureOption, to value: String?) throws(ComposeError) {
        if let value, source != .flags, value.unicodeScalars.contains(where: { $0.properties.isWhitespace }) {
            guard isCallout, option.name == PictureOption.focus.name else {
                throw ComposeError(.usage, "\(option.name): '\(value.quotable)' has a blank; leave it out")
            }
        }
        own.set(option, to: value)
    }

    /// Writes it where the options say it.
    func write(to options: inout GivenOptions) {
        switch source {
        case .flags: options = own
        case .callout(let index):
            var words = own
            words.keep { ![PictureOption.at.name, PictureOption.focus.name].contains($0.name) }
            let target = (text(.focus) ?? "") + (text(.at).map { "@\($0)" } ?? "")
            options.replace(at: index, with: ([target] + words.words).joined(separator: " "))
        case .words(let index): options.replace(at: index, with: own.words.joined(separator: " "))
        }
    }

    /// Takes it out of the options.
    func remove(from options: inout GivenOptions) {
        switch source {
        case .flags: options.leaveOutLoupe()
        case .callout(let index), .words(let index): options.replace(at: index, with: nil)
        }
    }
}

extension GivenOptions {
    /// Leaves out the loupe of flags, and what flags say of all callouts.
    mutating func leaveOutLoupe() {
        let names = Set((Request.loupeOptions + [PictureOption.at]).map { $0.name })
        keep { !names.contains($0.name) }
    }

    /// The options of words that have been read before.
    fileprivate static func ofWords(_ words: String) -> GivenOptions {
        var text = GivenOptions()
        text.add(PictureOption.loupe.name, words.utf8)
        return words.isEmpty ? GivenOptions() : (try? GivenOptions(words: text.entries[0])) ?? GivenOptions()
    }

    /// These options as the words of a loupe.
    fileprivate var words: [String] {
        PictureOption.wordKeys.compactMap { key in
            let options = PictureOption.words.filter { $0.word == key }
            let isThere = ["ring": PictureOption.ring, "grid": .grid, "mark": .mark][key].map(has) ?? false
            let values = options.compactMap { text($0) }
            return values.isEmpty && !isThere ? nil : "\(key)=\(values.joined(separator: ":"))"
        }
    }
}
