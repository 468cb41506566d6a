package toolstest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Fake simulates services and records the requests. In a goldentest transcript, the line
// "answer GET HOST/PATH STATUS BODY" sets the response to requests that begin with "GET HOST/PATH".
// The last matching line is used. The status can contain headers: "302;Location=/x".
type Fake struct {
	Client *http.Client
	Shown  []string // headers that are recorded

	mu      sync.Mutex
	answers [][4]string // request, status, headers, body
	asked   []string
}

// FakeServer returns a [Fake] that simulates the given hosts.
func FakeServer(t *testing.T, hosts ...string) *Fake {
	t.Helper()
	p := &Fake{}
	services := map[string]http.HandlerFunc{}
	for _, host := range hosts {
		services[host] = func(w http.ResponseWriter, r *http.Request) { p.serve(host, w, r) }
	}
	p.Client = Client(t, services)
	return p
}

func (p *Fake) serve(host string, w http.ResponseWriter, r *http.Request) {
	request := r.Method + " " + host + r.URL.RequestURI()
	body, _ := io.ReadAll(r.Body) // on an error, the record shows the incomplete body
	noted := "asked " + request
	for _, name := range p.Shown {
		if value := r.Header.Get(name); value != "" {
			noted += fmt.Sprintf(" %s=%q", name, value)
		}
	}
	if len(body) > 0 {
		noted += " " + strings.TrimSpace(string(body))
	}
	p.mu.Lock()
	p.asked = append(p.asked, noted)
	answer := [4]string{"", "404", "", "no answer was set up for this"}
	for _, one := range slices.Backward(p.answers) {
		if strings.HasPrefix(request, one[0]) {
			answer = one
			break
		}
	}
	p.mu.Unlock()
	for pair := range strings.SplitSeq(answer[2], ";") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			w.Header().Set(name, value)
		}
	}
	status, err := strconv.Atoi(answer[1])
	if err != nil {
		status = http.StatusTeapot
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer[3])
}

// Command returns a command for goldentest.Transcript. The command shows the requests of a call,
// and then the call's result. Requests are sorted, because concurrent requests arrive in any order.
func (p *Fake) Command(call func(tool, args string) (string, error)) func(tool, args string) (string, error) {
	return func(tool, args string) (string, error) {
		if tool == "answer" {
			fields := strings.SplitN(args, " ", 4)
			for len(fields) < 4 {
				fields = append(fields, "")
			}
			status, headers, _ := strings.Cut(fields[2], ";")
			p.mu.Lock()
			defer p.mu.Unlock()
			p.answers = append(p.answers, [4]string{fields[0] + " " + fields[1], status, headers, strings.ReplaceAll(fields[3], `\n`, "\n")})
			return "", nil
		}
		text, err := call(tool, args)
		p.mu.Lock()
		defer p.mu.Unlock()
		slices.Sort(p.asked)
		text = strings.Join(append(p.asked, text), "\n")
		p.asked = nil
		return strings.Trim(text, "\n"), err
	}
}
