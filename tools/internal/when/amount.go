package when

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Amount is a number with its unit.
type Amount struct {
	Value    float64
	Unit     string // in lower case and without accents; "" if the amount has no unit
	Currency string // three-letter code; "" if the unit is not clearly a currency
}

// ParseAmount parses amounts such as "50 dollars", "$1,234.5", "1.000,50 €", "5k", "2 million yen"
// and "-3,5 km". Dots or commas may separate groups of three digits. The currency or the form of
// the number usually identifies the decimal point. If the text is ambiguous, the error is
// [Ambiguous].
func ParseAmount(text string) (Amount, error) {
	written := strings.TrimSpace(fold(text))
	if len(text) > longestText || written == "" {
		return Amount{}, fmt.Errorf("%q is not an amount", clip(text))
	}
	negative := false
	if rest, ok := strings.CutPrefix(written, "-"); ok {
		written, negative = strings.TrimSpace(rest), true
	}
	front, number, behind := split(written)
	value, behind, err := scale(number, behind, front)
	if err != nil {
		return Amount{}, err
	}
	if behind != "" && strings.Contains(".,/", behind[:1]) {
		return Amount{}, fmt.Errorf("%q is not an amount", clip(text))
	}
	found := Amount{Value: value, Unit: behind}
	if negative {
		found.Value = -value
	}
	if front != "" {
		if found.Currency = currency(front); found.Currency == "" || behind != "" && currency(behind) != found.Currency {
			return Amount{}, fmt.Errorf("%q is not an amount", clip(text))
		}
		found.Unit = front
		return found, nil
	}
	found.Currency = currency(behind)
	return found, nil
}

// split divides an amount into the text before the number, the number, and the text after it.
func split(text string) (front, number, behind string) {
	begin := strings.IndexFunc(text, isDigit)
	if begin < 0 || strings.Contains(text, "1/2") || strings.Contains(text, "1/4") || strings.Contains(text, "3/4") {
		r := &tape{tokens: tokens(text)} // "fifty dollars", "2½ miles"
		value, ok := r.quantity()
		if !ok {
			return text, "", ""
		}
		return "", strconv.FormatFloat(value, 'f', -1, 64), r.written(r.at, len(r.tokens))
	}
	end := begin
	for i := begin; i < len(text); i++ {
		switch c := text[i]; {
		case isDigit(rune(c)):
			end = i + 1
		case strings.ContainsRune(".,' ", rune(c)) && i+1 < len(text) && isDigit(rune(text[i+1])):
		default:
			return strings.TrimSpace(text[:begin]), text[begin:end], strings.TrimSpace(text[end:])
		}
	}
	return strings.TrimSpace(text[:begin]), text[begin:end], ""
}

// scale parses a number. If the text after the number begins with a factor such as "k" or
// "million", scale multiplies the number by this factor. scale also returns the rest of the text.
func scale(number, behind, front string) (float64, string, error) {
	factor := 1.0
	first, rest, _ := strings.Cut(behind, " ")
	switch first {
	case "k", "thousand", "tausend", "mille", "tsd", "tsd.":
		factor = 1e3
	case "million", "millions", "millionen", "mio", "mio.", "mln":
		factor = 1e6
	case "billion", "billions": // 10^12 in German and French
		return 0, "", &Ambiguous{Text: strings.TrimSpace(number + " " + first), Readings: []string{"10^9 (English)", "10^12 (German, French)"}}
	case "milliard", "milliards", "milliarde", "milliarden", "mrd", "mrd.", "bn":
		factor = 1e9
	default:
		rest = behind
	}
	rest = strings.TrimSpace(rest)
	for _, joint := range []string{"of ", "de ", "d'"} { // "deux millions de dollars"
		rest = strings.TrimPrefix(rest, joint)
	}
	value, err := decimal(number, front, rest)
	value *= factor
	return value, rest, err // a number of this length is always finite
}

// decimal parses a number, possibly with grouped thousands.
func decimal(number, front, behind string) (float64, error) {
	for n, group := range strings.FieldsFunc(number, func(r rune) bool { return r == ' ' || r == '\'' }) {
		if n > 0 && strings.IndexAny(group+".", ".,") != 3 { // "6'2" means six foot two, not 62
			return 0, fmt.Errorf("%q is not a number", clip(number))
		}
	}
	bare := strings.NewReplacer(" ", "", "'", "").Replace(number)
	dots, commas := strings.Count(bare, "."), strings.Count(bare, ",")
	lastDot, lastComma := strings.LastIndex(bare, "."), strings.LastIndex(bare, ",")
	point := "" // the separator before the fraction
	switch {
	case dots > 0 && commas > 0:
		point = "."
		if lastComma > lastDot {
			point = ","
		}
	case dots > 1 || commas > 1:
	case dots+commas == 1:
		at := max(lastDot, lastComma)
		point = bare[at : at+1]
		if groups := at >= 1 && at <= 3 && bare[0] != '0' && len(bare)-at == 4; groups {
			isGroup, known := groupsBy(point, front, behind)
			if !known {
				whole, fraction := bare[:at]+bare[at+1:], bare[:at]+"."+bare[at+1:]
				return 0, &Ambiguous{Text: number, Readings: []string{whole, strings.TrimRight(fraction, "0") + " (with a fraction)"}}
			}
			if isGroup {
				point = ""
			}
		}
	}
	whole, fraction := bare, ""
	if point != "" {
		at := strings.LastIndex(bare, point)
		whole, fraction = bare[:at], "."+bare[at+1:]
	}
	if !grouped(whole) {
		return 0, fmt.Errorf("%q is not a number", clip(number))
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	return strconv.ParseFloat(whole+fraction, 64) // at most 200 digits, so never out of range
}

// grouped returns true if all separators in a whole number are the same and each is followed by
// exactly three digits. A number without separators is also accepted.
func grouped(whole string) bool {
	between := ""
	for i := 0; i < len(whole); i++ {
		if isDigit(rune(whole[i])) {
			continue
		}
		if next := strings.IndexAny(whole[i+1:]+".", ".,"); i == 0 || next != 3 || between != "" && between != whole[i:i+1] {
			return false
		}
		between = whole[i : i+1]
	}
	return whole != ""
}

// groupsBy reports whether a dot or comma before three digits separates thousands. With a currency,
// it does, because amounts of money never have three decimals. Without a currency, a dot is a
// decimal point.
//
// known is false for a comma without a currency, and for a separator that is unusual for the
// currency.
func groupsBy(point, front, behind string) (isGroup, known bool) {
	code := cmp.Or(currency(front), currency(behind))
	english := code == "USD" || code == "GBP" || code == "AUD" || code == "CAD" || code == "INR" || code == "JPY"
	switch {
	case code == "" && point == ".":
		return false, true
	case code == "":
		return false, false
	case point == ",":
		return true, front != "" || english || behind == strings.ToLower(code)
	}
	return true, !english && front == ""
}

// currency returns the code for the name of a currency, or "" if the name is unknown or ambiguous.
// For example, a pound may be a weight, and several countries have a krona. "$" means US dollars.
func currency(name string) string {
	name = strings.TrimSuffix(name, ".")
	switch name {
	case "$", "us$", "dollar", "dollars", "us dollar", "us dollars", "bucks", "usd":
		return "USD"
	case "€", "euro", "euros", "eur":
		return "EUR"
	case "£", "pound sterling", "pounds sterling", "british pounds", "british pound", "quid", "gbp", "pfund sterling", "livres sterling":
		return "GBP"
	case "¥", "yen", "jpy", "yens":
		return "JPY"
	case "yuan", "renminbi", "rmb", "cny":
		return "CNY"
	case "swiss franc", "swiss francs", "schweizer franken", "franken", "francs suisses", "fr", "sfr", "chf":
		return "CHF"
	case "₹", "rupee", "rupees", "indian rupees", "rupien", "inr":
		return "INR"
	case "swedish krona", "swedish kronor", "schwedische kronen", "sek":
		return "SEK"
	case "norwegian kroner", "norwegian krone", "norwegische kronen", "nok":
		return "NOK"
	case "danish kroner", "danish krone", "daenische kronen", "dkk":
		return "DKK"
	case "zloty", "zlotys", "pln", "zł":
		return "PLN"
	case "a$", "australian dollars", "australian dollar", "aud":
		return "AUD"
	case "c$", "canadian dollars", "canadian dollar", "cad":
		return "CAD"
	case "won", "₩", "krw":
		return "KRW"
	}
	return ""
}
