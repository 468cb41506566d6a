package gate

import (
	"net"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// A DNS lookup can leak private data, because the owner of evil.example sees each lookup of
// SECRET.evil.example. So a command gets a placeholder address, and Marvin looks up the name only
// after the host is allowed.

// placeholderRange contains the placeholder addresses. RFC 2544 reserves the range for benchmarks,
// so no host on the internet uses it.
var placeholderRange = netip.MustParsePrefix("198.18.0.0/15")

// mostNames is the maximum number of names that one command may look up.
const mostNames = 10_000

// nameTable maps names to placeholder addresses.
type nameTable struct {
	addresses map[string]netip.Addr
	order     []string // order[n] has the address 198.18.0.2 + n
}

// address determines the placeholder address of a host name, and first assigns one if necessary. It
// returns false if no address is left.
func (t *nameTable) address(name string) (netip.Addr, bool) {
	if known, ok := t.addresses[name]; ok {
		return known, true
	}
	if len(t.order) >= mostNames {
		return netip.Addr{}, false
	}
	if t.addresses == nil {
		t.addresses = map[string]netip.Addr{}
	}
	n := len(t.order) + 2
	at := netip.AddrFrom4([4]byte{198, byte(18 + n>>16), byte(n >> 8), byte(n)})
	t.addresses[name], t.order = at, append(t.order, name)
	return at, true
}

// name determines the host name of a placeholder address. It returns "" if the address is unused.
func (t *nameTable) name(at netip.Addr) string {
	four := at.As4()
	n := (int(four[1])-18)<<16 | int(four[2])<<8 | int(four[3])
	if n -= 2; n < 0 || n >= len(t.order) {
		return ""
	}
	return t.order[n]
}

// Names starts a goroutine that answers a command's DNS queries. [Way.Close] stops the goroutine.
func (w *Way) Names(questions net.PacketConn) {
	if !w.closeWith(questions) {
		return
	}
	w.carrying.Go(func() error {
		packet := make([]byte, 1500)
		for {
			n, from, err := questions.ReadFrom(packet)
			if err != nil {
				return nil
			}
			if answer, ok := w.answer(packet[:n]); ok {
				_, _ = questions.WriteTo(answer, from)
			}
		}
	})
}

// answer returns the response to a DNS query. The response contains an address only if the query
// has type A.
func (w *Way) answer(packet []byte) ([]byte, bool) {
	var parser dnsmessage.Parser
	header, err := parser.Start(packet)
	if err != nil || header.Response {
		return nil, false
	}
	question, err := parser.Question()
	if err != nil {
		return nil, false
	}
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: header.ID, Response: true, RecursionDesired: header.RecursionDesired, RecursionAvailable: true},
		Questions: []dnsmessage.Question{question},
	}
	if question.Type == dnsmessage.TypeA && question.Class == dnsmessage.ClassINET {
		if at, ok := w.answerFor(plainName(question.Name.String())); ok {
			reply.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: 60},
				Body:   &dnsmessage.AResource{A: at.As4()},
			}}
		} else {
			reply.RCode = dnsmessage.RCodeServerFailure
		}
	}
	packed, err := reply.Pack()
	return packed, err == nil
}

// answerFor returns 127.0.0.1 for localhost, and a placeholder address for any other name.
func (w *Way) answerFor(name string) (netip.Addr, bool) {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.names.address(name)
}
