// SPDX-License-Identifier: Apache-2.0

/// Words that people use for countries and regions, but that GeoNames's files lack. Initials, such as NSW, need no
/// entry here, because the search makes them.
enum RegionWords {
    static let countries: [String: [String]] = [
        "AT": ["Österreich", "Oesterreich"], "AU": ["Australien"], "BE": ["Belgique", "België"], "BR": ["Brasil"],
        "CH": ["Schweiz", "Suisse", "Svizzera"], "CI": ["Côte d'Ivoire"], "CN": ["PRC"],
        "CZ": ["Czech Republic", "Česko"], "DE": ["Deutschland", "Allemagne"], "DK": ["Danmark"],
        "ES": ["España"], "FI": ["Suomi"], "GB": ["UK", "Great Britain", "Britain"], "GR": ["Hellas"],
        "HU": ["Magyarország"], "IN": ["Bharat"], "IT": ["Italia"], "JP": ["Nippon"], "KR": ["Korea"],
        "MM": ["Burma"], "MX": ["México"], "NL": ["Netherlands", "Holland", "Nederland"], "NO": ["Norge"],
        "PL": ["Polska", "Polen"], "RU": ["Russian Federation", "Rossiya"], "SE": ["Sverige"],
        "TR": ["Turkey", "Türkiye"], "TZ": ["Tanzania"], "US": ["America", "United States of America"],
        "VN": ["Viet Nam"], "ZA": ["RSA"], "AE": ["UAE"],
    ]

    /// The words by the country's code, then by the key of the region's name.
    static let regions: [String: [String: [String]]] = [
        "AU": ["queensland": ["QLD"], "tasmania": ["TAS"], "victoria": ["VIC"]],
        "CA": [
            "alberta": ["AB"], "manitoba": ["MB"], "newfoundland and labrador": ["NL"], "ontario": ["ON"],
            "quebec": ["QC", "PQ"], "saskatchewan": ["SK"], "yukon": ["YT"], "nunavut": ["NU"],
        ],
        "DE": [
            "bavaria": ["Bayern"], "saxony": ["Sachsen"], "lower saxony": ["Niedersachsen"], "hesse": ["Hessen"],
            "thuringia": ["Thüringen"], "north rhine westphalia": ["Nordrhein-Westfalen"],
            "rhineland palatinate": ["Rheinland-Pfalz"], "saxony anhalt": ["Sachsen-Anhalt"],
        ],
        "IN": ["punjab": ["PB"], "karnataka": ["KA"], "kerala": ["KL"], "maharashtra": ["MH"]],
        "NZ": ["canterbury": ["CAN"]],
    ]
}
