package hostnames

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Address is a web address, normalized for comparison.
type Address struct {
	Scheme string
	Host   string // in lowercase ASCII, with no final dot and no default port
	Rest   string // path, query and fragment, unchanged
}

// ParseAddress parses an address that begins with http:// or https://. It rejects user names,
// backslashes and control characters, because programs interpret them differently.
func ParseAddress(text string) (Address, bool) {
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || unicode.IsControl(r) }) {
		return Address{}, false
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.User != nil || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return Address{}, false
	}
	host, ok := OneHost(parsed.Hostname())
	if !ok {
		return Address{}, false
	}
	usual := map[string]string{"http": "80", "https": "443"}[parsed.Scheme]
	if port := parsed.Port(); port != "" && port != usual {
		host += ":" + port
	}
	rest := parsed.EscapedPath()
	if parsed.RawQuery != "" {
		rest += "?" + parsed.RawQuery
	}
	if parsed.Fragment != "" {
		rest += "#" + parsed.EscapedFragment()
	}
	return Address{Scheme: parsed.Scheme, Host: host, Rest: rest}, true
}

// OneHost returns the normalized spelling of a host name.
func OneHost(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.String(), true
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return "", false
		}
		name = ascii
	}
	return name, name != "" && !strings.ContainsAny(name, " %")
}

// Key returns a string for comparisons. Two addresses have the same key if they differ only in the
// scheme (http or https) or in a final slash.
func (a Address) Key() string { return a.Host + strings.TrimSuffix(a.Rest, "/") }

// Page returns the address without its fragment.
func (a Address) Page() Address {
	a.Rest, _, _ = strings.Cut(a.Rest, "#")
	return a
}

// HasEffect reports whether a request for the address could have an effect, such as a deletion. It
// looks for action words in the path and the query, and for secret tokens in the query.
func (a Address) HasEffect() bool {
	path, query, _ := strings.Cut(a.Page().Rest, "?")
	for part := range strings.SplitSeq(strings.ToLower(path), "/") {
		if actions()[part] {
			return true
		}
	}
	values, _ := url.ParseQuery(query)
	for name, list := range values {
		for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
			if actions()[word] || tokens()[word] {
				return true
			}
		}
		for _, value := range list {
			if actions()[strings.ToLower(value)] || token(value) {
				return true
			}
		}
	}
	return false
}

// token is true if a value looks like a token: a word of at least 20 letters and digits.
func token(value string) bool {
	letters, digits := 0, 0
	for _, r := range value {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case unicode.IsLetter(r):
			letters++
		default:
			return false
		}
	}
	return letters+digits >= 20 && letters > 2 && digits > 2
}

var (
	actions = setOf(`confirm confirmation verify unsubscribe activate approve accept decline reject rsvp optin optout opt-in opt-out reset logout signout
delete remove cancel revoke authorize authorise pay checkout buy purchase vote join redeem unlock transfer`)
	tokens = setOf("token otp jwt signature sig auth authkey apikey secret password passwd invite invitation nonce ticket magic hash confirmationcode")
)

// addresses is the lazily compiled pattern for web addresses, including those without http://.
var addresses = sync.OnceValue(func() *regexp.Regexp {
	const path = "[^\\s<>\"`{}|\\\\^\\[\\]…‹›«»“”]*"
	return regexp.MustCompile(`(?i)https?://` + path + `|(?:[\pL\pN](?:[\pL\pN-]*[\pL\pN])?\.)+\pL[\pL\pN-]*\pL(?::\d{1,5})?(?:[/?]` + path + `)?`)
})

// mayName reports whether text may contain an address. For most prompts it returns false, which
// saves the 0.7 ms that compiling the pattern takes.
func mayName(text string) bool {
	if strings.Contains(text, "://") {
		return true
	}
	for {
		_, after, found := strings.Cut(text, ".")
		if !found {
			return false
		}
		if next, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(next) {
			return true
		}
		text = after
	}
}

// MaxAddresses is the maximum number of addresses found in one text.
const MaxAddresses = 2000

// Found is an address that [FindAddresses] found.
type Found struct {
	Address
	Text string
	Bare bool // written without http://
}

// FindAddresses returns the first [MaxAddresses] addresses in text. If an address ends with
// punctuation, such as "." or ")", it is followed by a copy without that punctuation.
func FindAddresses(text string) []Found {
	if !mayName(text) {
		return nil
	}
	var list []Found
	for _, at := range addresses().FindAllStringIndex(text, MaxAddresses) {
		match := text[at[0]:at[1]]
		if at[0] > 0 && text[at[0]-1] == '@' {
			continue // part of a mail address
		}
		bare := len(match) < 8 || !strings.EqualFold(match[:7], "http://") && !strings.EqualFold(match[:8], "https://")
		for _, spelt := range []string{match, strings.TrimRight(match, ".,;:!?'*_~)")} {
			whole := "https://" + spelt
			if !bare {
				scheme, rest, _ := strings.Cut(spelt, "://")
				whole = strings.ToLower(scheme) + "://" + rest
			}
			if parsed, ok := ParseAddress(whole); ok && (len(list) == 0 || list[len(list)-1].Text != spelt) {
				list = append(list, Found{parsed, spelt, bare})
			}
		}
	}
	return list
}

// fileEndings lists top-level domains that are usually file name extensions in prompts.
var fileEndings = map[string]bool{
	"md": true, "py": true, "rs": true, "sh": true, "pl": true, "zip": true, "mov": true, "cc": true, "ps": true, "so": true, "mk": true, "ml": true, "tf": true, "pm": true,
}
