internal import Glibc
package enum Knobs {
    package static let receives = getenv("WK_RECV") != nil
    package static let stands = getenv("WK_NOSTAND") == nil
    package static let gathers = getenv("WK_NOGATHER") == nil
}
