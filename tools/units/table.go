package units

import "math"

// kind is a measured quantity, such as length. Only units of the same kind can be converted.
type kind struct {
	name  string
	units []unit
}

// unit is a row of the table. The first unit with factor 1 is the base unit of its kind. A value x
// in the unit is (x+offset)*factor in the base unit, or factor/x if inverse is true.
type unit struct {
	symbol  string // shown in results; case matters
	also    string // other symbols, separated by commas; case matters
	names   string // names, separated by commas; case, blanks, dots, hyphens and plurals do not matter
	factor  float64
	offset  float64
	inverse bool
}

// Since 1959, the pound and the yard have been defined in metric units. The US gallon is 231 cubic
// inches, the imperial gallon 4.54609 liters.
const (
	inch   = 0.0254
	foot   = 12 * inch
	yard   = 3 * foot
	mile   = 1760 * yard
	pound  = 0.45359237
	usGal  = 231 * inch * inch * inch * 1000
	impGal = 4.54609
	year   = 365.2425 * 86400
	btu    = 1055.05585262
	mmHg   = 133.322387415
)

var kinds = []kind{
	{"length", []unit{
		{symbol: "nm", names: "nanometer", factor: 1e-9},
		{symbol: "µm", also: "um", names: "micrometer,micron", factor: 1e-6},
		{symbol: "mm", names: "millimeter", factor: 1e-3},
		{symbol: "cm", names: "centimeter", factor: 1e-2},
		{symbol: "dm", names: "decimeter", factor: 0.1},
		{symbol: "m", names: "meter", factor: 1},
		{symbol: "km", names: "kilometer", factor: 1000},
		{symbol: "Mm", names: "megameter", factor: 1e6},
		{symbol: "mil", names: "thou", factor: inch / 1000},
		{symbol: "in", also: `",″`, names: "inch,inches", factor: inch},
		{symbol: "ft", also: "',′", names: "foot,feet", factor: foot},
		{symbol: "yd", names: "yard", factor: yard},
		{symbol: "fathom", factor: 2 * yard},
		{symbol: "furlong", factor: 220 * yard},
		{symbol: "mi", names: "mile,statute mile", factor: mile},
		{symbol: "nmi", also: "NM", names: "nautical mile,sea mile", factor: 1852},
		{symbol: "au", also: "AU", names: "astronomical unit", factor: 149597870700},
		{symbol: "ly", names: "light year,lightyear", factor: 9460730472580800},
		{symbol: "pc", names: "parsec", factor: 149597870700 * 648000 / math.Pi},
	}},
	{"mass", []unit{
		{symbol: "µg", also: "ug,mcg", names: "microgram", factor: 1e-9},
		{symbol: "mg", names: "milligram", factor: 1e-6},
		{symbol: "g", names: "gram,gramme", factor: 1e-3},
		{symbol: "kg", names: "kilogram,kilo,kilogramme", factor: 1},
		{symbol: "t", also: "Mg", names: "tonne,metric ton", factor: 1000},
		{symbol: "gr", names: "grain", factor: pound / 7000},
		{symbol: "ct", names: "carat", factor: 2e-4},
		{symbol: "oz", names: "ounce", factor: pound / 16},
		{symbol: "oz t", also: "ozt", names: "troy ounce,ounce troy,troy oz", factor: 480 * pound / 7000},
		{symbol: "lb", also: "lbs", names: "pound", factor: pound},
		{symbol: "st", names: "stone", factor: 14 * pound},
		{symbol: "US ton", names: "ton,short ton", factor: 2000 * pound},
		{symbol: "long ton", names: "imperial ton,uk ton", factor: 2240 * pound},
	}},
	{"volume", []unit{
		{symbol: "ml", also: "mL,cc,cm3", names: "milliliter,cubic centimeter", factor: 1e-3},
		{symbol: "cl", also: "cL", names: "centiliter", factor: 1e-2},
		{symbol: "dl", also: "dL", names: "deciliter", factor: 0.1},
		{symbol: "l", also: "L", names: "liter,cubic decimeter", factor: 1},
		{symbol: "hl", also: "hL", names: "hectoliter", factor: 100},
		{symbol: "m³", names: "cubic meter,cbm", factor: 1000},
		{symbol: "in³", names: "cubic inch,cubic inches,cu in", factor: inch * inch * inch * 1000},
		{symbol: "ft³", names: "cubic foot,cubic feet,cu ft", factor: foot * foot * foot * 1000},
		{symbol: "yd³", names: "cubic yard,cu yd", factor: yard * yard * yard * 1000},
		{symbol: "US tsp", names: "tsp,teaspoon", factor: usGal / 768},
		{symbol: "US tbsp", names: "tbsp,tablespoon", factor: usGal / 256},
		{symbol: "US fl oz", also: "oz", names: "floz,fluid ounce,us fluid ounce,ounce", factor: usGal / 128},
		{symbol: "US cup", names: "cup", factor: usGal / 16},
		{symbol: "metric cup", factor: 0.25},
		{symbol: "US pt", names: "pt,pint,us pint", factor: usGal / 8},
		{symbol: "US qt", names: "qt,quart,us quart", factor: usGal / 4},
		{symbol: "US gal", names: "gal,gallon,us gallon", factor: usGal},
		{symbol: "imp fl oz", names: "imperial fluid ounce,uk fluid ounce,imperial fl oz,uk fl oz", factor: impGal / 160},
		{symbol: "imp pt", names: "imperial pint,uk pint,british pint", factor: impGal / 8},
		{symbol: "imp qt", names: "imperial quart,uk quart", factor: impGal / 4},
		{symbol: "imp gal", names: "imperial gallon,uk gallon,british gallon", factor: impGal},
		{symbol: "bbl", names: "barrel,oil barrel", factor: 42 * usGal},
	}},
	{"area", []unit{
		{symbol: "mm²", names: "square millimeter,sq mm", factor: 1e-6},
		{symbol: "cm²", names: "square centimeter,sq cm", factor: 1e-4},
		{symbol: "m²", names: "square meter,sq m,sqm", factor: 1},
		{symbol: "ha", names: "hectare", factor: 1e4},
		{symbol: "km²", names: "square kilometer,sq km", factor: 1e6},
		{symbol: "in²", names: "square inch,square inches,sq in", factor: inch * inch},
		{symbol: "ft²", names: "square foot,square feet,sq ft", factor: foot * foot},
		{symbol: "yd²", names: "square yard,sq yd", factor: yard * yard},
		{symbol: "acre", also: "ac", factor: 4840 * yard * yard},
		{symbol: "mi²", names: "square mile,sq mi", factor: mile * mile},
	}},
	{"speed", []unit{
		{symbol: "m/s", also: "mps", names: "meter per second,meters per second", factor: 1},
		{symbol: "km/h", names: "kph,kmh,kmph,kilometer per hour,kilometers per hour", factor: 1 / 3.6},
		{symbol: "mph", names: "mph,mi/h,mile per hour,miles per hour", factor: mile / 3600},
		{symbol: "ft/s", names: "fps,foot per second,feet per second", factor: foot},
		{symbol: "kn", also: "kt,kts", names: "knot", factor: 1852. / 3600},
	}},
	{"time", []unit{
		{symbol: "ns", names: "nanosecond", factor: 1e-9},
		{symbol: "µs", also: "us", names: "microsecond", factor: 1e-6},
		{symbol: "ms", names: "millisecond", factor: 1e-3},
		{symbol: "s", names: "second,sec", factor: 1},
		{symbol: "min", names: "minute", factor: 60},
		{symbol: "h", names: "hour,hr", factor: 3600},
		{symbol: "d", names: "day", factor: 86400},
		{symbol: "wk", names: "week", factor: 7 * 86400},
		{symbol: "fortnight", factor: 14 * 86400},
		{symbol: "mo", names: "month", factor: year / 12},
		{symbol: "yr", names: "year", factor: year},
	}},
	{"temperature", []unit{
		{symbol: "K", names: "kelvin", factor: 1},
		{symbol: "°C", also: "C,c", names: "celsius,centigrade,degree celsius,degrees celsius,deg c,degree c", factor: 1, offset: 273.15},
		{symbol: "°F", also: "F,f", names: "fahrenheit,degree fahrenheit,degrees fahrenheit,deg f,degree f", factor: 5. / 9, offset: 459.67},
		{symbol: "°R", names: "rankine", factor: 5. / 9},
	}},
	{"data", []unit{
		{symbol: "b", also: "bit", names: "bit", factor: 1},
		{symbol: "kb", also: "Kb,kbit", names: "kilobit", factor: 1e3},
		{symbol: "Mb", also: "Mbit", names: "megabit", factor: 1e6},
		{symbol: "Gb", also: "Gbit", names: "gigabit", factor: 1e9},
		{symbol: "Tb", also: "Tbit", names: "terabit", factor: 1e12},
		{symbol: "B", names: "byte", factor: 8},
		{symbol: "kB", also: "KB", names: "kilobyte", factor: 8e3},
		{symbol: "MB", names: "megabyte", factor: 8e6},
		{symbol: "GB", names: "gigabyte", factor: 8e9},
		{symbol: "TB", names: "terabyte", factor: 8e12},
		{symbol: "PB", names: "petabyte", factor: 8e15},
		{symbol: "Kib", also: "Kibit", names: "kibibit", factor: 1 << 10},
		{symbol: "Mib", also: "Mibit", names: "mebibit", factor: 1 << 20},
		{symbol: "Gib", also: "Gibit", names: "gibibit", factor: 1 << 30},
		{symbol: "KiB", also: "kiB", names: "kibibyte", factor: 8 << 10},
		{symbol: "MiB", names: "mebibyte", factor: 8 << 20},
		{symbol: "GiB", names: "gibibyte", factor: 8 << 30},
		{symbol: "TiB", names: "tebibyte", factor: 8 << 40},
		{symbol: "PiB", names: "pebibyte", factor: 8 << 50},
	}},
	{"data rate", []unit{
		{symbol: "bit/s", also: "b/s,bps", names: "bit per second,bits per second", factor: 1},
		{symbol: "kbit/s", also: "kb/s,kbps,Kbps,Kbit/s", names: "kilobit per second,kilobits per second", factor: 1e3},
		{symbol: "Mbit/s", also: "Mb/s,Mbps", names: "mbps,mbit/s,mbit,megabit per second,megabits per second", factor: 1e6},
		{symbol: "Gbit/s", also: "Gb/s,Gbps", names: "gbps,gbit/s,gigabit per second,gigabits per second", factor: 1e9},
		{symbol: "B/s", names: "byte per second,bytes per second", factor: 8},
		{symbol: "kB/s", also: "KB/s,kBps", names: "kilobyte per second,kilobytes per second", factor: 8e3},
		{symbol: "MB/s", also: "MBps", names: "megabyte per second,megabytes per second", factor: 8e6},
		{symbol: "GB/s", also: "GBps", names: "gigabyte per second,gigabytes per second", factor: 8e9},
		{symbol: "MiB/s", names: "mebibyte per second,mebibytes per second", factor: 8 << 20},
		{symbol: "GiB/s", names: "gibibyte per second,gibibytes per second", factor: 8 << 30},
	}},
	{"force", []unit{
		{symbol: "mN", names: "millinewton", factor: 1e-3},
		{symbol: "N", names: "newton", factor: 1},
		{symbol: "kN", names: "kilonewton", factor: 1e3},
		{symbol: "MN", names: "meganewton", factor: 1e6},
		{symbol: "dyn", names: "dyne", factor: 1e-5},
		{symbol: "kgf", also: "kp", names: "kilogram force,kilopond", factor: 9.80665},
		{symbol: "lbf", names: "pound force", factor: pound * 9.80665},
		{symbol: "ozf", names: "ounce force", factor: pound / 16 * 9.80665},
		{symbol: "pdl", names: "poundal", factor: pound * foot},
	}},
	{"frequency", []unit{
		{symbol: "mHz", names: "millihertz", factor: 1e-3},
		{symbol: "Hz", names: "hertz,cycle per second,cycles per second,per second", factor: 1},
		{symbol: "kHz", names: "kilohertz", factor: 1e3},
		{symbol: "MHz", names: "megahertz", factor: 1e6},
		{symbol: "GHz", names: "gigahertz", factor: 1e9},
		{symbol: "THz", names: "terahertz", factor: 1e12},
		{symbol: "rpm", also: "r/min", names: "revolution per minute,revolutions per minute", factor: 1. / 60},
		{symbol: "bpm", names: "beat per minute,beats per minute", factor: 1. / 60},
	}},
	{"pressure", []unit{
		{symbol: "Pa", names: "pascal", factor: 1},
		{symbol: "hPa", names: "hectopascal", factor: 100},
		{symbol: "kPa", names: "kilopascal", factor: 1e3},
		{symbol: "MPa", names: "megapascal", factor: 1e6},
		{symbol: "mbar", names: "millibar", factor: 100},
		{symbol: "bar", factor: 1e5},
		{symbol: "atm", names: "atmosphere,standard atmosphere", factor: 101325},
		{symbol: "Torr", names: "torr", factor: 101325. / 760},
		{symbol: "mmHg", names: "millimeter of mercury", factor: mmHg},
		{symbol: "inHg", names: "inch of mercury,inches of mercury", factor: 25.4 * mmHg},
		{symbol: "psi", names: "pound per square inch,pounds per square inch", factor: pound * 9.80665 / (inch * inch)},
	}},
	{"energy", []unit{
		{symbol: "J", names: "joule", factor: 1},
		{symbol: "kJ", names: "kilojoule", factor: 1e3},
		{symbol: "MJ", names: "megajoule", factor: 1e6},
		{symbol: "GJ", names: "gigajoule", factor: 1e9},
		{symbol: "cal", names: "calorie", factor: 4.184},
		{symbol: "kcal", also: "Cal", names: "kilocalorie,food calorie,large calorie", factor: 4184},
		{symbol: "Wh", names: "watt hour", factor: 3600},
		{symbol: "kWh", names: "kilowatt hour", factor: 3.6e6},
		{symbol: "MWh", names: "megawatt hour", factor: 3.6e9},
		{symbol: "BTU", also: "Btu", names: "british thermal unit", factor: btu},
		{symbol: "therm", names: "therm us,us therm", factor: 1e5 * btu},
		{symbol: "ft⋅lb", also: "ft·lb", names: "ftlb,foot pound,ft lbf", factor: foot * pound * 9.80665},
		{symbol: "eV", names: "electronvolt,electron volt", factor: 1.602176634e-19},
	}},
	{"power", []unit{
		{symbol: "mW", names: "milliwatt", factor: 1e-3},
		{symbol: "W", names: "watt", factor: 1},
		{symbol: "kW", names: "kilowatt", factor: 1e3},
		{symbol: "MW", names: "megawatt", factor: 1e6},
		{symbol: "GW", names: "gigawatt", factor: 1e9},
		{symbol: "hp", names: "horsepower,mechanical horsepower", factor: 550 * foot * pound * 9.80665},
		{symbol: "PS", names: "metric horsepower", factor: 75 * 9.80665},
		{symbol: "BTU/h", names: "btu per hour", factor: btu / 3600},
	}},
	{"fuel economy", []unit{
		{symbol: "km/l", also: "km/L", names: "kmpl,kilometer per liter,kilometers per liter", factor: 1},
		{symbol: "l/100km", also: "L/100km", names: "l per 100 km,liter per 100 kilometers,liters per 100 kilometers", factor: 100, inverse: true},
		{symbol: "US mpg", names: "mpg,mile per gallon,miles per gallon,mpg us", factor: mile / 1000 / usGal},
		{symbol: "imp mpg", names: "imperial mpg,uk mpg,mpg uk,mpg imp,mpg imperial,british mpg,miles per imperial gallon,mile per imperial gallon", factor: mile / 1000 / impGal},
	}},
	{"angle", []unit{
		{symbol: "°", names: "deg,degree", factor: 1},
		{symbol: "rad", names: "radian", factor: 180 / math.Pi},
		{symbol: "gon", names: "grad,gradian", factor: 0.9},
		{symbol: "arcmin", names: "arc minute,minute of arc", factor: 1. / 60},
		{symbol: "arcsec", names: "arc second,second of arc", factor: 1. / 3600},
		{symbol: "turn", names: "revolution,rev", factor: 360},
	}},
}
