package tools

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"html"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"marvin/tools/internal/hostnames"
	"marvin/tools/internal/params"
)

// KnownHosts records which network locations a conversation may contact without asking: hosts that
// the user named, and addresses that appeared in network results. It never records hosts that come
// only from the model, a file or a command. Sub-agents share their parent's KnownHosts. A
// KnownHosts is safe for concurrent use. A nil KnownHosts knows no host.
type KnownHosts struct {
	mu    sync.Mutex
	hosts map[string]bool      // named by the user, without "www."
	terms map[string]bool      // words from user prompts, matched against topics and services
	seen  map[fingerprint]bool // addresses from network results and from the user
	ring  []fingerprint        // the same addresses in a ring buffer; ring[next] is the oldest
	next  int

	typed   map[fingerprint]bool // the exact addresses that the user typed
	mailed  map[fingerprint]bool // addresses from messages; the user is asked about each request to such an address
	written map[string][]string  // the addresses that the model wrote, by host
	count   int                  // total number of addresses that the model wrote
	deaf    bool                 // the model wrote too many addresses to record, so AddResult no longer records any
	changed bool                 // the model wrote a file or ran a command
	taint   string               // the source of untrusted or private text
}

type fingerprint [16]byte

const (
	// mostSeen is the maximum number of addresses that are remembered; each takes 24 bytes.
	mostSeen = 8192
	// leastPasted is the minimum length, in bytes, of a prompt that counts as pasted text. An
	// outsider could have written such a prompt. Marvin allows the exact addresses in the prompt,
	// but their hosts do not count as hosts that the user named.
	leastPasted = 4000
	// mostNames is the maximum number of entries in each set of names.
	mostNames = 10_000
)

// AddTaint records the first source of untrusted or private text. For the effect on running
// commands, see [Held.Stays].
func (k *KnownHosts) AddTaint(by string) {
	if k == nil || by == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.taint = cmp.Or(k.taint, by)
}

// Taint returns the source of untrusted or private text; "" if there is none.
func (k *KnownHosts) Taint() string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.taint
}

// AddPrompt records the hosts, terms and addresses that the user typed in a prompt.
func (k *KnownHosts) AddPrompt(prompt string) {
	if k == nil {
		return
	}
	found := hostnames.Mentions(prompt)
	k.mu.Lock()
	defer k.mu.Unlock()
	named := map[string]bool{}
	for _, one := range found {
		if one.Negated {
			continue
		}
		k.remember(one.Address)
		mark(&k.typed, markOf(one.Address))
		if one.Named && len(prompt) < leastPasted {
			k.name(&k.hosts, one.Host)
			named[one.Host] = true
		}
	}
	if len(prompt) >= leastPasted {
		return
	}
	for _, sentence := range hostnames.Sentences(prompt) {
		if hostnames.Forbids(sentence) {
			continue
		}
		for word := range strings.FieldsFuncSeq(strings.ToLower(sentence), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
		}) {
			k.name(&k.terms, word)
		}
		k.addLogins(sentence, named)
	}
}

// AddOwn records the addresses in text from the user's own files. The hosts of these addresses do
// not count as hosts that the user named.
func (k *KnownHosts) AddOwn(text string) {
	if k == nil {
		return
	}
	found := hostnames.FindAddresses(text)
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, one := range found {
		k.remember(one.Address)
	}
}

// addLogins records possible logins, ssh host names and IP addresses from a sentence. A word with a
// dot but no "@" counts only if it is an IP address or one of the given hosts.
func (k *KnownHosts) addLogins(sentence string, hosts map[string]bool) {
	for field := range strings.FieldsSeq(strings.ToLower(sentence)) {
		field = strings.Trim(field, "\"'`()<>[]{},;:.!?*_")
		before, _, _ := strings.Cut(field, ":")
		for _, word := range []string{field, before} {
			if ip, err := netip.ParseAddr(word); err == nil {
				k.name(&k.hosts, ip.String())
				k.name(&k.terms, word)
			}
			if !strings.Contains(word, ".") || strings.Contains(word, "@") || hosts[word] {
				k.name(&k.terms, word)
			}
		}
	}
}

// IsNamed reports whether the user named a host, in a prompt or in an answer to a question.
func (k *KnownHosts) IsNamed(host string) bool {
	return k.classify(Destination{Reach: Chosen, Name: strings.ToLower(host)}) == named
}

// typedTerm reports whether a prompt contained the given word.
func (k *KnownHosts) typedTerm(word string) bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.terms[word]
}

// wasTyped reports whether a prompt contained the given login, or at least the host of the login.
// Case is ignored.
func (k *KnownHosts) wasTyped(login string) bool {
	if k == nil || login == "" {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	login = strings.ToLower(login)
	return k.terms[login] || k.terms[login[strings.LastIndexByte(login, '@')+1:]]
}

// Grant records that the user allows Marvin to send any data to a host.
func (k *KnownHosts) Grant(host string) {
	if k != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.name(&k.hosts, host)
	}
}

// Revoke removes a host that a prompt or [KnownHosts.Grant] added.
func (k *KnownHosts) Revoke(host string) {
	if k != nil && host != "" {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.hosts, strings.TrimPrefix(host, "www."))
	}
}

// Pass records the address of a request that the user approved. Later requests for the address need
// no approval. This does not apply to an address that came in a message or could trigger an action.
func (k *KnownHosts) Pass(text string) {
	if to, ok := hostnames.ParseAddress(text); ok && k != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.remember(to)
	}
}

// AddCall records a call by the model. If private is true, the addresses in args could carry
// untrusted or private text, so [KnownHosts.AddResult] will skip these addresses. If writes is
// true, [KnownHosts.Changed] returns true from now on.
func (k *KnownHosts) AddCall(args json.RawMessage, destinations []Destination, private, writes bool) {
	if k == nil || !private && !writes {
		return
	}
	var known []hostnames.Found
	full := false
	if private {
		for _, one := range repeated(args, destinations) {
			list := hostnames.FindAddresses(one)
			full = full || len(list) >= hostnames.MaxAddresses
			known = append(known, list...)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changed, k.deaf = k.changed || writes, k.deaf || full
	for _, one := range known {
		if slices.Contains(k.written[one.Host], normalized(one.Key())) {
			continue
		}
		if k.count++; k.count > mostSeen {
			k.deaf = true
			return
		}
		if k.written == nil {
			k.written = map[string][]string{}
		}
		k.written[one.Host] = append(k.written[one.Host], normalized(one.Key()))
	}
}

// Changed reports whether the model wrote a file or ran a command. After such a call, a server on
// this machine could return text that the model wrote.
func (k *KnownHosts) Changed() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changed
}

// AddMessages records the addresses in text whose origin is [Messages]. Each request to such an
// address needs the user's consent.
func (k *KnownHosts) AddMessages(text string) {
	if k == nil {
		return
	}
	found := hostnames.FindAddresses(Unhidden(text))
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, one := range found {
		if one.Rest != "" && one.Rest != "/" && len(k.mailed) < mostSeen {
			mark(&k.mailed, markOf(one.Address))
		}
	}
}

// AddResult records the addresses in a network reply. It skips addresses from the call's arguments,
// because a service may repeat its input. It also skips addresses that the model wrote in an
// earlier call.
func (k *KnownHosts) AddResult(text string, args json.RawMessage, destinations []Destination) {
	if k == nil {
		return
	}
	inText := hostnames.FindAddresses(text)
	if len(inText) == 0 {
		return
	}
	asked := echoed(args, destinations)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.deaf {
		return
	}
	for _, one := range inText {
		if !asked.says(one) && !k.wrote(one) {
			k.remember(one.Address)
		}
	}
}

// wrote is true if a recorded call contained the address or its beginning. A bare host does not
// count as a beginning.
func (k *KnownHosts) wrote(one hostnames.Found) bool {
	key := normalized(one.Key())
	return slices.ContainsFunc(k.written[one.Host], func(written string) bool {
		return key == written || strings.HasPrefix(key, written) && written != one.Host
	})
}

// echo contains the normalized argument values of a call. The service's reply can repeat these
// values.
type echo struct {
	text  string
	known []string // the addresses that the text field contains, except bare hosts
}

// repeated returns the normalized argument values that the service may repeat in its reply. It
// drops the host of a requested address, because links to other pages on that host are harmless. It
// keeps the path and the query, because the model may have put data there.
func repeated(args json.RawMessage, destinations []Destination) (texts []string) {
	for _, value := range params.JsonTexts(args) {
		if slices.ContainsFunc(destinations, func(to Destination) bool { return to.Address == value }) {
			_, value, _ = strings.Cut(value, "://")
			value = strings.TrimLeftFunc(value, func(r rune) bool { return !strings.ContainsRune("/?#", r) })
		}
		texts = append(texts, normalized(value))
	}
	return texts
}

func echoed(args json.RawMessage, destinations []Destination) echo {
	whole := echo{text: strings.Join(repeated(args, destinations), "\n")}
	for _, one := range hostnames.FindAddresses(whole.text) {
		if one.Rest != "" && one.Rest != "/" {
			whole.known = append(whole.known, normalized(one.Key()))
		}
	}
	return whole
}

// normalized decodes text and converts it to lower case, because a service may repeat the text in
// another form.
func normalized(text string) string {
	text = html.UnescapeString(Unhidden(text))
	if decoded, err := url.PathUnescape(text); err == nil {
		text = decoded
	}
	return strings.ToLower(text)
}

func (e echo) says(one hostnames.Found) bool {
	if e.text == "" {
		return false
	}
	key, spelt := normalized(one.Key()), normalized(strings.TrimSuffix(one.Text, "/"))
	if strings.Contains(e.text, key) || strings.Contains(e.text, spelt) {
		return true
	}
	return slices.ContainsFunc(e.known, func(known string) bool { return strings.HasPrefix(key, known) })
}

func (k *KnownHosts) name(in *map[string]bool, name string) {
	if *in == nil {
		*in = map[string]bool{}
	}
	if len(*in) < mostNames {
		(*in)[strings.TrimPrefix(name, "www.")] = true
	}
}

func (k *KnownHosts) remember(one hostnames.Address) {
	if k.seen == nil {
		k.seen = map[fingerprint]bool{}
	}
	for _, each := range []hostnames.Address{one, one.Page()} {
		mark := markOf(each)
		switch {
		case k.seen[mark]:
			continue
		case len(k.ring) < mostSeen:
			k.ring = append(k.ring, mark)
		default:
			delete(k.seen, k.ring[k.next])
			k.ring[k.next] = mark
			k.next = (k.next + 1) % mostSeen
		}
		k.seen[mark] = true
	}
}

func markOf(one hostnames.Address) fingerprint {
	sum := sha256.Sum256([]byte(one.Key()))
	return fingerprint(sum[:16])
}

func mark(in *map[fingerprint]bool, one fingerprint) {
	if *in == nil {
		*in = map[fingerprint]bool{}
	}
	if len(*in) < mostNames {
		(*in)[one] = true
	}
}

// classify returns what is known about a destination.
func (k *KnownHosts) classify(to Destination) trust {
	if k == nil {
		return unknown
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if to.Reach == Public {
		if k.terms[strings.ToLower(to.Name)] {
			return named
		}
		return unknown
	}
	at, ok := hostnames.ParseAddress(to.Address)
	if ok && k.mailed[markOf(at)] && !k.typed[markOf(at)] {
		return mailed
	}
	if k.hosts[strings.TrimPrefix(to.Name, "www.")] {
		return named
	}
	if ok && !to.More && k.seen[markOf(at)] && (k.typed[markOf(at)] || !at.HasEffect()) {
		return read
	}
	return unknown
}
