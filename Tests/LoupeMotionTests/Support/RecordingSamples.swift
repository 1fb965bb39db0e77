@testable import LoupeMotion

/// A small recording in each format that is read.
enum RecordingSamples {
    static func text(of format: RecordingFormat) -> String {
        switch format {
        case .trace:
            """
            {"t": 0.25, "touch": 1, "phase": "began", "at": [10, 20.5]}
            {"t": 0.27, "touch": 1, "phase": "moved", "at": [12.25, 21]}
            {"t": 0.3, "touch": 1, "phase": "ended", "at": [12.25, 21]}
            """
        case .w3c:
            """
            {"type": "pointerover", "pointerId": 1, "clientX": 10, "clientY": 20.5, "timeStamp": 250}
            {"type": "pointerdown", "pointerId": 1, "clientX": 10, "clientY": 20.5, "timeStamp": 250, "pressure": 0.5}
            {"type": "pointermove", "pointerId": 1, "clientX": 12.25, "clientY": 21, "timeStamp": 270, "pressure": 0.7}
            {"type": "pointerup", "pointerId": 1, "clientX": 12.25, "clientY": 21, "timeStamp": 300, "pressure": 0}
            """
        case .getevent:
            """
            add device 1: /dev/input/event2
              name:     "sec_touchscreen"
              events:
                KEY (0001): BTN_TOOL_FINGER       BTN_TOUCH
                ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                            ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0
                            ABS_MT_POSITION_Y     : value 0, min 0, max 2339, fuzz 0, flat 0, resolution 0
              input props:
                INPUT_PROP_DIRECT
            [    1200.250000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000002a
            [    1200.250000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    0000001e
            [    1200.250000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    0000003c
            [    1200.250000] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN
            [    1200.250000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
            [    1200.262001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000024
            [    1200.262001] /dev/input/event2: EV_ABS       ABS_MT_PRESSURE      0000003f
            [    1200.262001] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
            [    1200.300000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
            [    1200.300000] /dev/input/event2: EV_KEY       BTN_TOUCH            UP
            [    1200.300000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
            """
        case .csv:
            """
            phase,x,pressure,y,t,id
            began,10,0.4,20.5,0.25,1
            touchmove,12.25,0.4,21,0.27,1
            ACTION_UP,12.25,0,21,0.3,1
            """
        case .gyroscope: "time,x,y,z\n0.25,0.1,0.2,0.3\n0.26,-0.1,0.2,0.3"
        }
    }
}
