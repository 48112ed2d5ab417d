import QtQuick

Item {
    id: view
    width: 1280
    height: 720
    property var cards
    property var copies
    property color ground
    property color handColor
    property bool isWindow
    property url shader
    property real degrees

    Rectangle {
        id: board
        width: 320
        height: 180
        color: view.ground
        Repeater {
            model: view.cards
            Rectangle {
                required property var modelData
                x: modelData.x
                y: modelData.y
                width: modelData.w
                height: modelData.h
                radius: 6
                color: modelData.color
            }
        }
        Rectangle {
            anchors.centerIn: parent
            width: 12
            height: 140
            rotation: view.degrees
            antialiasing: true
            color: view.handColor
        }
    }
    ShaderEffectSource {
        id: live
        width: 320
        height: 180
        visible: false
        sourceItem: board
        hideSource: true
        textureSize: Qt.size(320, 180)
    }
    Repeater {
        model: view.copies
        ShaderEffect {
            required property var modelData
            property variant source: live
            property vector4d part: modelData.part
            x: modelData.x
            y: modelData.y
            width: modelData.w
            height: modelData.h
            blending: false
            fragmentShader: view.isWindow ? view.shader : ""
        }
    }
}
