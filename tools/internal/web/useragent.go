package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// UserAgent identifies Marvin to services. Only the hosts in wantContact receive Contact.
type UserAgent struct {
	Version string
	Contact string // an e-mail address or a web page; may be ""
}

// wantContact lists the hosts whose rules ask for a contact address. Their subdomains are included.
//   - Nominatim asks for the application name, and for the address if there are many requests:
//     https://operations.osmfoundation.org/policies/nominatim/
//   - Wikimedia and MusicBrainz ask for both:
//     https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
//     https://musicbrainz.org/doc/MusicBrainz_API/Rate_Limiting
//   - Overpass and OSRM, also run by OpenStreetMap volunteers, have similar rules
var wantContact = []string{
	"nominatim.openstreetmap.org", "overpass-api.de", "router.project-osrm.org", "routing.openstreetmap.de",
	"wikipedia.org", "wiktionary.org", "wikimedia.org", "wikidata.org", "musicbrainz.org",
}

func (a UserAgent) header(host string) string {
	about := "terminal assistant"
	if a.Contact != "" && asksForContact(host) {
		about += "; " + a.Contact
	}
	return "Marvin/" + cmp.Or(strings.Map(token, a.Version), "0") + " (" + about + ")"
}

func asksForContact(host string) bool {
	return slices.ContainsFunc(wantContact, func(asking string) bool { return host == asking || strings.HasSuffix(host, "."+asking) })
}

// token returns r, or -1 if RFC 9110 forbids r in a token (section 5.6.2).
func token(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
		return r
	}
	return -1
}

// Client is like [NewClient], but the client sends this User-Agent.
func (a UserAgent) Client(hosts map[string]string) *http.Client {
	return newClient(hosts, http.ProxyFromEnvironment, a)
}
