import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

/// The flags for callouts and for several loupes.
@Suite struct CalloutFlagTests {
    private func scene(_ flags: [String]) throws -> Scene { try FlaggedPage.scene(["--plain"] + flags) }

    @Test func aCalloutIsALoupeWithARingAndLines() throws {
        let flags = ["--callout", "8,9@30,20", "--radius", "9", "--connector", "lines"]
        let loupe = try #require(try scene(flags).loupes.first)
        #expect(
            loupe
                == Loupe(
                    center: Point(x: 30, y: 20), radius: 9, zoom: 3, focus: Point(x: 8, y: 9), filter: .cubic,
                    callout: Callout(ring: .init(width: 3), connector: Connector(.lines(width: 2))), outside: .clamp))
    }

    /// A grey wedge beyond the page would look like a fault.
    @Test(arguments: [
        ["--callout", "0,0@30,20"], ["--callout", "100%,100%@10,10"], ["--callout", "0%,0%,20%x20%@30,20"],
        ["--callout", "90%,70%,10%x30%", "--place", "beside"], ["--margin", "0", "--callout", "3,3@30,20"],
    ])
    func aCalloutStaysOnAPageThatFillsTheCanvas(flags: [String]) throws {
        #expect(try scene(flags).loupes[0].outside == .clamp)
    }

    /// It shows what is asked for: the page's edge and corner, what lies beyond, or a region whole.
    @Test(arguments: [
        ["--at", "0,0"], ["--at", "30,20", "--focus", "1,1", "--ring-width", "2"],
        ["--loupe", "at=30,20 focus=1,1 ring"],
        ["--callout", "3,3@30,20", "--margin", "1"], ["--callout", "3,3@30,20", "--background", "#fff"],
        ["--callout", "3,3@30,20", "--frame"], ["--callout", "3,3@30,20", "--corner", "4"],
        ["--callout", "3,3@30,20", "--canvas", "90x60"], ["--callout", "3,3@30,20", "--outside", "background"],
        ["--callout", "41,3@30,20"], ["--callout", "-1,2,9x9@30,20"],
        ["--callout", "0%,0%,20%x20%@30,20", "--shape", "circle"],
    ])
    func otherLoupesShowWhatIsBeyondThePage(flags: [String]) throws {
        #expect(try scene(flags).loupes[0].outside == .background)
    }

    @Test func flagsSayHowTheCalloutLooks() throws {
        let loupe = try #require(
            try scene([
                "--at", "30,20", "--focus", "8,9", "--ring-width", "1.5", "--ring-color", "#102030", "--connector",
                "arrow", "--connector-width", "4", "--connector-color", "#405060", "--grid", "--mark", "--outside",
                "clamp", "--filter", "lanczos",
            ]).loupes.first)
        #expect(loupe.callout?.ring == Callout.Ring(width: 1.5, color: Color(red: 16, green: 32, blue: 48)))
        #expect(
            loupe.callout?.connector == Connector(.arrow(width: 4), color: Color(red: 64, green: 80, blue: 96)))
        #expect(loupe.grid == TexelGrid() && loupe.mark == TexelMark())
        #expect(loupe.outside == .clamp && loupe.filter == .lanczos)
    }

    @Test func aCalloutMayDoWithoutItsConnector() throws {
        let loupe = try #require(try scene(["--callout", "8,9@30,20", "--connector", "none"]).loupes.first)
        #expect(loupe.callout == Callout(ring: .init()))
        #expect(try scene(["--at", "8,9"]).loupes.first?.callout == nil)
    }

    @Test func wordsMakeALoupeOfEveryKind() throws {
        let loupes = try scene([
            "--loupe", "at=9,10 radius=8 zoom=3 focus=4,5.5 filter=nearest rim=2:#fff shadow=6:#0008:1,-2",
            "--loupe", "at=30,20 focus=5,6 ring=3:#f00 connector=cone:#00f8 grid=#888 mark=1 outside=transparent",
        ]).loupes
        #expect(
            loupes
                == [
                    Loupe(
                        center: Point(x: 9, y: 10), radius: 8, zoom: 3, focus: Point(x: 4, y: 5.5), filter: .nearest,
                        rim: .init(width: 2, color: .defaultRim),
                        shadow: .init(
                            offset: Vector(dx: 1, dy: -2), blur: 6,
                            color: Color(red: 0, green: 0, blue: 0, alpha: 0x88))),
                    Loupe(
                        center: Point(x: 30, y: 20), radius: 6, zoom: 3, focus: Point(x: 5, y: 6), filter: .cubic,
                        callout: Callout(
                            ring: .init(width: 3, color: Color(red: 255, green: 0, blue: 0)),
                            connector: Connector(.cone, color: Color(red: 0, green: 0, blue: 255, alpha: 0x88))),
                        grid: TexelGrid(color: Color(red: 0x88, green: 0x88, blue: 0x88)), mark: TexelMark(width: 1),
                        outside: .transparent),
                ])
    }

    @Test(arguments: [("connector", "connector=lines"), ("connector=1:#f00", "connector=lines:1:#f00")])
    func aConnectorWithoutAStyleIsLines(short: String, long: String) throws {
        let loupes = try [short, long].map { try scene(["--loupe", "at=30,20 focus=5,6 \($0)"]).loupes }
        #expect(loupes[0] == loupes[1])
        #expect(loupes[0].first?.callout?.connector != nil)
    }

    @Test func aCalloutMayBeARectangle() throws {
        let loupes = try scene([
            "--callout", "8,9@30,20", "--shape", "12x8", "--loupe", "at=30,20 focus=8,9 shape=12x8:3:round ring",
            "--loupe", "at=30,20 shape=12x8", "--loupe", "at=30,20 shape=12.5x8:0:8",
        ]).loupes
        func rectangle(_ width: Double, _ radius: Double, _ exponent: Double) -> Loupe.Shape {
            .rectangle(.init(width: width, height: 8, corner: Corner(radius: radius, exponent: exponent)))
        }
        #expect(
            loupes.map(\.shape)
                == [rectangle(12, 4, 4), rectangle(12, 3, 2), rectangle(12, 4, 4), rectangle(12.5, 0, 8)])
        #expect(
            loupes.map(\.callout)
                == [Callout(ring: .init()), Callout(ring: .init()), nil, nil], "the page is a photograph")
    }

    @Test func loupesFindTheirPlaces() throws {
        let flags = [
            "--canvas", "400x300", "--callout", "100,100", "--loupe", "focus=300,200 radius=40",
            "--loupe", "at=200,50 radius=30",
        ]
        let placed = try scene(flags)
        try #require(placed.loupes.count == 3)
        #expect(placed.loupes[2].center == Point(x: 200, y: 50))
        #expect(placed.loupes[0].focus == Point(x: 100, y: 100))
        #expect(placed.loupes[0].center.distance(to: placed.loupes[0].focus) > 60 + 15 + 3)
        #expect(try scene(flags) == placed)
    }

    @Test(arguments: [
        (["--callout", "1"], "--callout"), (["--callout", "1,2@3"], "--callout"),
        (["--callout", "1,2@3,4@5,6"], "--callout"),
        (["--callout", "1,2@3,4", "--at", "5,6"], "--callout"),
        (["--callout", "1,2@3,4", "--ring-width", "0"], "--ring-width: 0 is out of range; allowed is 0.001…1024"),
        (["--at", "5,6", "--connector-width", "2"], "--connector-width: there is no connector"),
        (["--at", "5,6", "--connector", "cone", "--connector-width", "2"], "a cone has no width"),
        (["--at", "5,6", "--connector", "line"], "--connector"), (["--at", "5,6", "--outside", "none"], "--outside"),
        (["--ring-width", "2"], "--ring-width: there is no loupe"), (["--grid"], "--grid: there is no loupe"),
        (["--place", "auto"], "--place: there is no loupe"), (["--at", "5,6", "--place", "auto"], "--place"),
        (["--loupe", ""], "--loupe"),
        (["--loupe", "radius=3", "--place", "auto"], "--loupe: it says neither where the loupe is"),
        (["--loupe", "at=1"], "--loupe.at: '1' is not a point"),
        (["--loupe", "at=1,2 zoom=65"], "--loupe.zoom: 65 is out of range; allowed is 1…64"),
        (["--loupe", "at=1,2 zoom=nan"], "--loupe.zoom: 'nan' is not a number: 1 to 64"),
        (["--loupe", "at=1,2 at=3,4"], "--loupe.at: it is given twice"),
        (["--loupe", "at=1,2", "--loupe", "at=1,2 size=3"], "--loupe[1].size: unknown key; allowed are at, radius"),
        (["--loupe", "at=1,2 filter=box"], "--loupe.filter: 'box' is not one of nearest"),
        (["--loupe", "at=1,2 rim=9"], "--loupe.rim: 9 is out of range; allowed is 0…6"),
        (["--plain", "--loupe", "at=1,2 rim=#fff"], "--loupe.rim: there is no rim"),
        (["--loupe", "at=1,2 rim=2:#ggg"], "--loupe.rim: '#ggg' is not a colour"),
        (["--loupe", "at=1,2 rim=2:1,1"], "--loupe.rim: '1,1' is not allowed; write rim=W:COLOR"),
        (["--loupe", "at=1,2", "--zoom", "3"], "--zoom: it does not apply to the loupes of --loupe"),
        (["--loupe", "at=1,2 rim=2:3"], "two values for rim-width"),
        (["--loupe", "at=1,2 ring=thick"], "--loupe.ring: 'thick' is not allowed; write ring=W:COLOR"),
        (["--loupe", "at=1,2 ring=3"], "--loupe.ring: the loupe covers the part of the page that it shows"),
        (["--loupe", "at=1,2 connector=cone"], "say which other one with focus=X,Y"),
        (
            ["--callout", "8,9@30,20", "--loupe", "at=1,2 focus=4,4", "--loupe", "at=1,2 connector=arrow"],
            "--loupe[1].connector: the loupe covers"
        ),
        (
            ["--loupe", "at=1,2 connector=curve"],
            "--loupe.connector: 'curve' is not one of lines, cone, arrow, leader or none"
        ),
        (["--loupe", "at=1,2 connector=cone:3"], "--loupe.connector: a cone has no width"),
        (["--loupe", "at=1,2 outside=none"], "--loupe.outside"),
        (["--loupe", "at=1,2 shape=9"], "--loupe.shape: '9' is not a shape: circle, rectangle or WxH"),
        (["--loupe", "at=1,2 shape=9x9:1:2:3"], "--loupe.shape"),
        (["--loupe", "at=1,2 shape=9x9:r"], "--loupe.shape: '9x9:r' is not a shape"),
        (["--loupe", "at=1,2 shape=9x1"], "--loupe.shape: 1 is out of range; allowed is 2…16384"),
        (["--loupe", "at=1,2 shape=9x9:5"], "--loupe.shape: 5 is out of range; allowed is 0…4.5"),
        (["--loupe", "at=1,2 shape=9x9:4:scoop"], "--loupe.shape: '9x9:4:scoop' is not a shape"),
        (["--loupe", "at=1,2 shape=9x9:4:33"], "--loupe.shape: '9x9:4:33' is not a shape"),
        (["--loupe", "at=1,2 shape=9x9 radius=4"], "--loupe.shape sets the loupe's size already"),
        (["--loupe", "at=1,2 versus=page.png"], "--loupe.versus: unknown key"),
        (
            ["--at", "20,15", "--focus", "4,4", "--connector-width", "3", "--loupe", "at=1,2"],
            "--connector-width: there is no connector"
        ),
    ])
    func wrongFlagsAreRefusedNamingTheKeyAndWhatIsAllowed(flags: [String], words: String) {
        FlaggedPage.expectRefusal(flags, words)
    }
}
