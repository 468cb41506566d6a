package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/providers/modeltest"
)

// device is a browser on another machine that trusts only one certificate.
type device struct {
	t      *testing.T
	client *http.Client
	base   string
}

// hears reads the output of marvin web on the terminal until a line matches.
func (s *webPage) hears(pattern string) string {
	s.t.Helper()
	late := time.AfterFunc(5*time.Minute, func() { panic("the terminal never says " + pattern) })
	defer late.Stop()
	for wanted := regexp.MustCompile(pattern); ; {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the terminal never says %q: %v", pattern, err)
		}
		if found := wanted.FindString(line); found != "" {
			return found
		}
	}
}

// types enters a line there.
func (s *webPage) types(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// takes returns a device with the link that the terminal shows. The device checks the certificate
// of the link.
func (s *webPage) takes() (p *device, link string) {
	s.t.Helper()
	link, fingerprint, _ := strings.Cut(s.hears(`https://\S+`), "#sha256=")
	at, err := url.Parse(link)
	if err != nil || fingerprint == "" {
		s.t.Fatalf("%q, %v", link, err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	check := func(raw [][]byte, _ [][]*x509.Certificate) error {
		if got := strings.ReplaceAll(fmt.Sprintf("% X", sha256.Sum256(raw[0])), " ", ":"); got != fingerprint {
			return fmt.Errorf("the certificate is %s, and the terminal says %s", got, fingerprint)
		}
		return nil
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: check}}
	s.t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &device{s.t, client, "https://" + at.Host}, strings.TrimPrefix(link, "https://"+at.Host)
}

// send sends a request as the page does.
func (p *device) send(method, path, body string, change func(*http.Request)) (int, http.Header, string) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.t.Context(), patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Origin", p.base)
		request.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(request)
	}
	reply, err := p.client.Do(request)
	if err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = reply.Body.Close() }()
	text, _ := io.ReadAll(reply.Body) // the status says enough
	return reply.StatusCode, reply.Header, string(text)
}

// pairs opens a link and lets the user pair the device.
func (s *webPage) pairs(p *device, link, with string) {
	s.t.Helper()
	if status, _, text := p.send("GET", link, "", nil); status != http.StatusSeeOther {
		s.t.Fatalf("%d %s", status, text)
	}
	s.hears("wants to use this page")
	_, _, text := p.send("GET", "/pair", "", nil)
	code := regexp.MustCompile(`id="code">(\d{6})<`).FindStringSubmatch(text)
	if code == nil {
		s.t.Fatalf("no code in %s", text)
	}
	if status, _, _ := p.send("GET", "/", "", nil); status != http.StatusUnauthorized {
		s.t.Errorf("a device that waits gets %d", status)
	}
	s.types("12345x")
	s.hears("no device shows the code")
	s.types(strings.TrimSpace(code[1] + " " + with))
	s.hears("is paired, with the role")
	status, header, _ := p.send("GET", "/pair", "", nil)
	cookie := strings.Join(header.Values("Set-Cookie"), "\n")
	if status != http.StatusSeeOther || !regexp.MustCompile(`__Host-marvin=\S{43}; Path=/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict`).MatchString(cookie) {
		s.t.Fatalf("%d %s", status, cookie)
	}
}

// A device on another machine gets access only after the user confirmed its code at the terminal.
// It can do as much as its role allows, and nothing after it was revoked.
func TestADeviceIsLetInAtTheTerminal(t *testing.T) {
	t.Parallel()
	s := newHousehold(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") }).serve("--listen", "127.0.0.1:0")
	reader, link := s.takes()
	port := reader.base[strings.LastIndexByte(reader.base, ':'):]
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for name, change := range map[string]func(*http.Request){"a name": host("marvin.example" + port), "a name that leads here": host("localhost" + port), "another port": host("127.0.0.1:1")} {
		if status, header, _ := reader.send("GET", link, "", change); status != http.StatusForbidden || header.Get("Set-Cookie") != "" {
			t.Errorf("%s as the host: %d", name, status)
		}
	}
	if status, _, _ := reader.send("GET", "/", "", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "__Host-marvin", Value: "x"}) }); status != http.StatusUnauthorized {
		t.Errorf("a guessed cookie: %d", status)
	}
	s.pairs(reader, link, "see")
	if status, _, _ := (&device{t, &http.Client{Transport: reader.client.Transport, CheckRedirect: reader.client.CheckRedirect}, reader.base}).send("GET", link, "", nil); status != http.StatusUnauthorized {
		t.Errorf("a used link: %d", status)
	}
	if status, _, text := reader.send("GET", "/", "", nil); status != http.StatusOK || !strings.Contains(text, `data-role="see"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := reader.send("POST", "/start", `{"prompt":"hello"}`, nil); status != http.StatusForbidden || len(s.live()) > 0 {
		t.Errorf("who may only see began a conversation: %d", status)
	}
	s.types("")
	driver, link := s.takes()
	s.pairs(driver, link, "")
	if status, _, _ := driver.send("POST", "/start", `{"prompt":"hello"}`, func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }); status != http.StatusForbidden {
		t.Errorf("a page without TLS as the origin: %d", status)
	}
	status, _, text := driver.send("POST", "/start", `{"prompt":"hello"}`, nil) // the control
	var began struct{ ID string }
	if err := json.Unmarshal([]byte(text), &began); err != nil || status != http.StatusOK || began.ID == "" {
		t.Fatalf("%d %s", status, text)
	}
	if status, _, _ := reader.send("POST", "/c/"+began.ID+"/op", `{"op":"cancel"}`, nil); status != http.StatusForbidden {
		t.Errorf("who may only see cancelled: %d", status)
	}
	var devices []struct{ ID, Role string }
	if err := json.Unmarshal([]byte(s.says("web", "devices", "--output", "json")), &devices); err != nil || len(devices) != 2 || devices[0].Role != "see" || devices[1].Role != "drive" {
		t.Fatalf("%v %v", devices, err)
	}
	page, err := driver.client.Get(driver.base + "/c/" + began.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Body.Close() }()
	s.says("web", "devices", "revoke", devices[1].ID)
	if shown, err := io.ReadAll(page.Body); err != nil || !strings.HasSuffix(string(shown), "event: gone\ndata: {}\n\n") {
		t.Errorf("an open page of a revoked device ends with %v: %.300s", err, shown[max(0, len(shown)-300):])
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if status, _, _ := driver.send("GET", "/", "", nil); status == http.StatusUnauthorized {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a revoked device gets on")
		}
	}
	if status, _, _ := reader.send("GET", "/", "", nil); status != http.StatusOK {
		t.Errorf("another device was revoked too: %d", status)
	}
}

// Without --listen no other machine can connect.
func TestAPageListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") })
	port := s.base[strings.LastIndexByte(s.base, ':')+1:]
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		network, is := one.(*net.IPNet)
		if !is {
			continue
		}
		conn, err := net.DialTimeout("tcp", net.JoinHostPort(network.IP.String(), port), patience)
		if err == nil {
			err = conn.Close()
		}
		if loopback := network.IP.Equal(net.IPv4(127, 0, 0, 1)); loopback != (err == nil) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", network.IP, err)
		}
	}
}
