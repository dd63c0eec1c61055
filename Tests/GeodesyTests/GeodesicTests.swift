// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Geodesy

@Suite("Geodesic", .computing)
struct GeodesicTests {
    /// A line of C. F. F. Karney's test set for geodesics (GeodTest, doi:10.5281/zenodo.32156): degrees and metres.
    struct Line: Sendable {
        let start, end: Coordinate
        let azimuth, distance: Double

        init(
            _ latitude1: Double, _ longitude1: Double, _ azimuth: Double, _ latitude2: Double, _ longitude2: Double,
            _ distance: Double
        ) {
            (start, end) = (at(latitude1, longitude1), at(latitude2, longitude2))
            (self.azimuth, self.distance) = (azimuth, distance)
        }
    }

    /// The six longest lines, almost antipodal; the five shortest; ten of the rest.
    static let lines = [
        Line(89.994940622706, 0, 96.907186071374, -89.994914740335306689, 164.093193142186758948, 20003774.649007),
        Line(89.997741785164, 0, 54.490356865324, -89.996380304433206558, 156.029698677757598294, 20003729.6800718),
        Line(89.998234417195, 0, 99.176774580899, -89.996900935085568573, 115.046731074430786869, 20003613.796678),
        Line(89.997659406498, 0, 145.374216128769, -89.998339938457689481, 87.865826851456817992, 20003605.3662688),
        Line(89.993552102933, 0, 125.229972203857, -89.994733015409121247, 144.488804488957651172, 20003513.1221078),
        Line(89.996344967961, 0, 118.710939348963, -89.996002848213014514, 114.609255826886658305, 20003468.6532733),
        Line(11.898997917427, 0, 75.119044134969, 11.899065303345823952, 0.000257501685735042, 29.0265121),
        Line(47.900780879363, 0, 148.758779524609, 47.899309788344023215, 0.001327005894209747, 191.3088022),
        Line(36.800966049655, 0, 43.389649034063, 36.802889529289609993, 0.002261122427425817, 293.7372273),
        Line(60.077425015363, 0, 81.639916890942, 60.078197903525388982, 0.010531670881733178, 592.5766309),
        Line(18.725775553796, 0, 98.927919777265, 18.724785210853172866, 0.006615636046166963, 706.2676803),
        Line(0.003311913742, 0, 90.001862369144, 0.001762385472585824, 32.846794581272844, 3656488.4472191),
        Line(0.000227056052, 0, 90.002708094472, -0.000342923983172007, 176.956361997998361364, 19698692.1099486),
        Line(11.748740014024, 0, 179.996037064439, -8.293112205271585557, 0.001363527637285404, 2216358.685784),
        Line(13.765992822182, 0, 168.128113329941, -65.459181533817945268, 156.332712198928562629, 13992595.6683315),
        Line(89.991811072491, 0, 66.114076230607, -22.591321090651902896, 113.888989997384992549, 12501616.1100621),
        Line(75.975352772302, 0, 179.997771487753, 14.402365789075887732, 0.002021046465612995, 6842945.6235417),
        Line(7.226780878364, 0, 160.809968779511, -56.51915729310626949, 33.742869850536527084, 7709737.0619647),
        Line(25.575488903661, 0, 179.99856564678, -42.739745780540142188, 0.001804651118343673, 7563613.4080721),
        Line(56.310719132311, 0, 155.158323803365, 56.304258387808388716, 0.005380024608319352, 792.7231052),
        Line(89.992968073625, 0, 87.213646671406, 51.11230323311336536, 92.777629012592921669, 4337424.4660706),
    ]

    @Test("agrees with the published test set", arguments: lines)
    func agrees(line: Line) {
        let inverse = Geodesic.inverse(from: line.start, to: line.end)
        // The set has a resolution of 0.1 micrometre, and more digits for the latitude of the far end than a Double.
        #expect(abs(inverse.distance - line.distance) < 1e-7)
        #expect(inverse.distance == Geodesic.distance(from: line.start, to: line.end))
        // A nanometre at the far end changes the azimuth more on a short line, and most if that end is almost
        // antipodal.
        let tolerance = line.distance > 19_900_000 ? 1e-8 : max(1e-10, 1e-7 / line.distance)
        #expect(abs(inverse.azimuth - line.azimuth) < tolerance)
        let end = Geodesic.destination(from: line.start, bearing: line.azimuth, distance: line.distance)
        #expect(Geodesic.distance(from: end, to: line.end) < 2e-7)
    }

    @Test("Sydney from Circular Quay's north")
    func sydney() {
        let here = at(-33.8568, 151.2153)
        let known = [
            (at(-33.860178, 151.212706), 444.984), (at(-33.850750, 151.212519), 718.723),
            (at(-33.873379, 151.200940), 2268.756), (at(-33.889967, 151.276440), 6747.835),
            (at(-33.797151, 151.288784), 9489.410),
        ]
        for (place, distance) in known {
            #expect(abs(Geodesic.distance(from: here, to: place) - distance) < 0.0005)
        }
    }

    @Test("one degree north is nearer than 0.998 degrees east, which a sphere gets the other way round")
    func notASphere() {
        let north = Geodesic.distance(from: at(0, 0), to: at(1, 0))
        let east = Geodesic.distance(from: at(0, 0), to: at(0, 0.998))
        #expect(abs(north - 110574.388558) < 1e-6)
        #expect(abs(east - 111096.851812) < 1e-6)
        let (one, two) = (PointKey(high: 0, low: 1), PointKey(high: 0, low: 2))
        let index = SpatialIndex(SpatialTree(coordinates: [at(0, 0.998), at(1, 0)], keys: [one, two]))
        #expect(index.nearest(to: at(0, 0), limit: 2).map(\.key) == [two, one])
    }

    @Test("azimuths are within [0, 360)")
    func azimuths() {
        #expect(Geodesic.inverse(from: at(0, 0), to: at(1, 0)).azimuth == 0)
        #expect(Geodesic.inverse(from: at(0, 0), to: at(0, 1)).azimuth == 90)
        #expect(Geodesic.inverse(from: at(1, 0), to: at(0, 0)).azimuth == 180)
        #expect(Geodesic.inverse(from: at(0, 0), to: at(0, -1)).azimuth == 270)
        // West of north by less than a rounding error of 360.
        let almostNorth = Geodesic.inverse(from: at(0, 0), to: at(89, -1e-300)).azimuth
        #expect(almostNorth >= 0 && almostNorth < 360)
    }

    @Test("there and back", arguments: [0.0, 45, 180, 271.5])
    func thereAndBack(bearing: Double) {
        let start = at(-33.8568, 151.2153)
        let end = Geodesic.destination(from: start, bearing: bearing, distance: 12_345)
        let inverse = Geodesic.inverse(from: start, to: end)
        #expect(abs(inverse.distance - 12_345) < 1e-7)
        #expect(abs(inverse.azimuth - bearing) < 1e-9)
    }
}
