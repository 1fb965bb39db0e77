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
        case .devtools: mouseTrace
        case .dispatch:
            """
            [
            {"method": "Input.dispatchTouchEvent", "params": {"type": "touchStart", "touchPoints": [{"x": 10, "y": 20.5, "id": 1}], "timestamp": 0.25}},
            {"type": "touchMove", "touchPoints": [{"x": 12.25, "y": 21, "id": 1}], "timestamp": 0.27},
            {"method": "Input.dispatchTouchEvent", "params": {"type": "touchEnd", "touchPoints": [], "timestamp": 0.3}}
            ]
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

    /// What Chromium 156 recorded of a mouse, shortened.
    static let mouseTrace = """
        {"metadata": {"source": "DevTools", "a": [1, {"b": "]}"}]},
        "traceEvents": [
        {"args":{"name":"CrRendererMain"},"cat":"__metadata","name":"thread_name","ph":"M","pid":24927,"tid":24927,"ts":0},
        {"args":{"data":{"type":"pointermove"}},"cat":"devtools.timeline","dur":466,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808411612},
        {"args":{"data":{"button":0,"buttons":0,"clickCount":0,"modifier":0,"timestamp":11808410329,"type":"mousemove","x":100,"y":100}},"cat":"devtools.timeline","dur":3,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808412081},
        {"args":{"data":{"button":0,"buttons":1,"clickCount":0,"modifier":0,"timestamp":11808421551,"type":"mousemove","x":110,"y":106}},"cat":"devtools.timeline","dur":5,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808428378},
        {"args":{"data":{"button":0,"buttons":1,"clickCount":1,"modifier":0,"timestamp":11808416321,"type":"mousedown","x":100,"y":100}},"cat":"devtools.timeline","dur":4,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808418841},
        {"args":{"data":{"button":0,"buttons":0,"clickCount":1,"modifier":0,"timestamp":11808496462,"type":"mouseup","x":150,"y":130}},"cat":"devtools.timeline","dur":3,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808496813},
        {"args":{"data":{"button":0,"buttons":0,"clickCount":1,"modifier":0,"timestamp":11808496462,"type":"click","x":150,"y":130}},"cat":"devtools.timeline","dur":9,"name":"EventDispatch","ph":"X","pid":24927,"tid":24927,"ts":11808496876}
        ]}
        """

    /// Two touches as Chrome recorded them before 2018: the end of each event has the positions.
    static let latencyTrace = """
        [
        {"name":"InputLatency::TouchStart","cat":"benchmark,latencyInfo,rail","ph":"S","id":"0x1","pid":1,"tid":1,"ts":5000000,"args":{}},
        {"name":"InputLatency::TouchStart","cat":"benchmark,latencyInfo,rail","ph":"F","id":"0x1","pid":1,"tid":1,"ts":5002000,"args":{"data":{"trace_id":1},"coordinates":[{"x":10,"y":20}]}},
        {"name":"InputLatency::TouchStart","cat":"benchmark","ph":"F","id":"0x2","pid":1,"tid":1,"ts":5012000,"args":{"data":{"INPUT_EVENT_LATENCY_ORIGINAL_COMPONENT":{"time":5010000}},"coordinates":[{"x":10,"y":20},{"x":90,"y":20}]}},
        {"name":"InputLatency::TouchMove","cat":"benchmark","ph":"F","id":"0x3","pid":1,"tid":1,"ts":5022000,"args":{"data":{"INPUT_EVENT_LATENCY_ORIGINAL_COMPONENT":{"time":5020000}},"coordinates":[{"x":10,"y":20},{"x":95,"y":25}]}},
        {"name":"InputLatency::TouchEnd","cat":"benchmark","ph":"F","id":"0x4","pid":1,"tid":1,"ts":5032000,"args":{"data":{"INPUT_EVENT_LATENCY_ORIGINAL_COMPONENT":{"time":5030000}},"coordinates":[{"x":10,"y":20},{"x":95,"y":25}]}},
        {"name":"InputLatency::TouchEnd","cat":"benchmark","ph":"F","id":"0x5","pid":1,"tid":1,"ts":5042000,"args":{"data":{"INPUT_EVENT_LATENCY_ORIGINAL_COMPONENT":{"time":5040000}},"coordinates":[{"x":95,"y":25}]}}
        ]
        """
}
