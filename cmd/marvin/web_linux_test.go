package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// webPage is a running marvin web, with the state of one browser.
type webPage struct {
	household
	command *exec.Cmd
	link    string
	base    string // http://127.0.0.1:PORT
	cookie  string
	out     *bufio.Reader // what follows of the terminal
	in      io.Writer     // what the user types there
}

// serve starts marvin web. Its link was not used yet.
func serve(t *testing.T, answer func(modeltest.Request) modeltest.Step) *webPage {
	t.Helper()
	return newHousehold(t, answer).serve()
}

func (h household) serve(args ...string) *webPage {
	h.t.Helper()
	command := h.marvin(append([]string{"web", "--no-open", "--approve", "ask"}, args...)...)
	out, err := command.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	in, err := command.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	s := &webPage{household: h, command: command, out: bufio.NewReader(out), in: in}
	first, err := s.out.ReadString('\n')
	s.link = strings.TrimSpace(first)
	s.base, _, _ = strings.Cut(s.link, "/?")
	if err != nil || s.base == s.link {
		h.t.Fatalf("the first line is %q: %v", first, err)
	}
	return s
}

// send sends a request as the page does, with the modifications by change.
func (s *webPage) send(method, path, body string, change func(*http.Request)) (*http.Response, string) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Origin", s.base)
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if s.cookie != "" {
		request.Header.Set("Cookie", s.cookie)
	}
	if change != nil {
		change(request)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	reply, err := transport.RoundTrip(request) // a redirect is not followed
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = reply.Body.Close() }()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply, string(text)
}

// raw sends bytes and returns the answer until the connection ends.
func (s *webPage) raw(text string) string {
	s.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience)) // a connection that cannot waits for the test's own time
	_, _ = io.WriteString(conn, text)              // the server may have closed it already
	told, _ := io.ReadAll(conn)                    // the same
	return string(told)
}

// enter uses the link.
func (s *webPage) enter() {
	s.t.Helper()
	reply, text := s.send(http.MethodGet, strings.TrimPrefix(s.link, s.base), "", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") })
	cookie := reply.Header.Get("Set-Cookie")
	if reply.StatusCode != http.StatusSeeOther || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		s.t.Fatalf("%d %q %s", reply.StatusCode, cookie, text)
	}
	s.cookie, _, _ = strings.Cut(cookie, ";")
}

// begin starts a conversation on the page.
func (s *webPage) begin(prompt string) (id string) {
	s.t.Helper()
	body, _ := json.Marshal(map[string]string{"prompt": prompt}) // texts can be encoded
	reply, text := s.send(http.MethodPost, "/start", string(body), nil)
	var told struct{ ID string }
	if err := json.Unmarshal([]byte(text), &told); err != nil || reply.StatusCode != http.StatusOK || told.ID == "" {
		s.t.Fatalf("%d %s", reply.StatusCode, text)
	}
	return told.ID
}

// until reads the events of a page until one contains the words.
func (s *webPage) until(path, words string) string {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Cookie", s.cookie)
	reply, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	lines := bufio.NewReader(reply.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			s.t.Fatalf("%s never says %q: %v", path, words, err)
		}
		if strings.Contains(line, words) {
			return line
		}
	}
}

func TestAPageServesTheUserOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") })
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	port := s.base[strings.LastIndexByte(s.base, ':'):]
	if reply, _ := s.send(http.MethodGet, strings.TrimPrefix(s.link, s.base), "", host("evil.example"+port)); reply.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign host used the link: %d", reply.StatusCode)
	}
	s.enter()
	for _, attack := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{"a foreign host", "GET", "/", host("evil.example" + port), 403},
		{"a name that was made to lead here", "GET", "/", host("127.0.0.1.evil.example" + port), 403},
		{"the host with another port", "POST", "/start", host("127.0.0.1:1"), 403},
		{"a host without a port", "GET", "/events", host("localhost"), 403},
		{"a foreign origin", "POST", "/start", header("Origin", "https://evil.example"), 403},
		{"a foreign origin behind the right one", "POST", "/start", func(r *http.Request) { r.Header.Add("Origin", "https://evil.example") }, 403},
		{"another site behind the right one", "POST", "/start", func(r *http.Request) { r.Header.Add("Sec-Fetch-Site", "cross-site") }, 403},
		{"the origin of a file", "POST", "/start", header("Origin", "null"), 403},
		{"the origin of another port", "POST", "/start", header("Origin", "http://127.0.0.1:1"), 403},
		{"another site", "GET", "/", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port of this site", "GET", "/events", header("Sec-Fetch-Site", "same-site"), 403},
		{"a POST from the address bar", "POST", "/start", header("Sec-Fetch-Site", "none"), 403},
		{"no cookie", "GET", "/", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"no cookie for events", "GET", "/events", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"no cookie for the script", "GET", "/web.js", func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"a guessed cookie", "POST", "/start", header("Cookie", strings.Split(s.cookie, "=")[0]+"=x"), 401},
		{"a used link", "GET", strings.TrimPrefix(s.link, s.base), func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		{"a preflight", "OPTIONS", "/start", header("Access-Control-Request-Method", "POST"), 405},
		{"a form", "POST", "/start", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"plain text", "POST", "/start", header("Content-Type", "text/plain"), 415},
		{"no type", "POST", "/start", func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		{"a DELETE", "DELETE", "/", nil, 405},
	} {
		reply, text := s.send(attack.method, attack.path, `{"prompt":"hello"}`, attack.change)
		if reply.StatusCode != attack.want || len(text) > 300 {
			t.Errorf("%s: %d, want %d: %.300s", attack.name, reply.StatusCode, attack.want, text)
		}
		if reply.Header.Get("Access-Control-Allow-Origin") != "" || reply.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", attack.name, reply.Header)
		}
	}
	if reply, text := s.send("POST", "/start", `{"prompt":"`+strings.Repeat("x", 2<<20)+`"}`, nil); reply.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d %.300s", reply.StatusCode, text)
	}
	if large := s.raw("GET / HTTP/1.1\r\nHost: " + strings.TrimPrefix(s.base, "http://") + "\r\nCookie: " + s.cookie + "\r\nX-Large: " + strings.Repeat("x", 32<<10) + "\r\n\r\n"); strings.Contains(large, " 200 ") {
		t.Errorf("a large header: %.300s", large)
	}
	if all := s.live(); len(all) > 0 {
		t.Errorf("an attack began %v", all)
	}
	for _, path := range []string{"/", "/web.css", "/web.js"} { // the controls
		reply, text := s.send("GET", path, "", func(r *http.Request) {
			r.Host = "localhost" + port
			name, _, _ := strings.Cut(s.cookie, "=")
			r.Header.Set("Cookie", name+"=planted; "+s.cookie) // by a server at another port
		})
		if reply.StatusCode != 200 || len(text) < 300 || !strings.Contains(reply.Header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") || reply.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, reply.StatusCode, reply.Header)
		}
	}
	s.until("/c/"+s.begin("hello")+"/events", "Well.")
}

// Connections beyond the limit are closed. When some connections end, new ones are accepted.
func TestAPageLimitsItsConnections(t *testing.T) {
	t.Parallel()
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") })
	s.enter()
	address := strings.TrimPrefix(s.base, "http://")
	var held []net.Conn
	served := 0
	begun := time.Now()
	for range 800 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience)) // a connection that cannot waits for the test's own time
		fmt.Fprintf(conn, "GET /web.css HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", address, s.cookie)
		if status, _ := bufio.NewReader(conn).ReadString('\n'); strings.Contains(status, " 200 ") {
			served++ // and the connection stays open
			defer func() { _ = conn.Close() }()
			held = append(held, conn)
		} else {
			_ = conn.Close()
		}
	}
	if minutes := int(time.Since(begun) / time.Minute); served < 512 || served > 512*(1+minutes) { // one that waits for a minute makes room
		t.Errorf("%d connections are served at once", served)
	}
	for _, conn := range held {
		_ = conn.Close()
	}
	for deadline := time.Now().Add(patience); !strings.Contains(s.raw("GET /web.css HTTP/1.0\r\nHost: "+address+"\r\nCookie: "+s.cookie+"\r\n\r\n"), " 200 "); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("there is no room again")
		}
	}
}

// A page that does not read loses its window. A page that reads gets everything.
func TestAPageThatDoesNotReadIsClosed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(strings.Repeat("word ", 2000)+"\n\n", 400)
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text(long, "the end") })
	s.enter()
	id := s.begin("say much")
	s.until("/c/"+id+"/events", "the end")
	s.windows(0)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.(*net.TCPConn).SetReadBuffer(4096) // the default only takes longer
	fmt.Fprintf(conn, "GET /c/%s/events HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", id, strings.TrimPrefix(s.base, "http://"), s.cookie)
	s.windows(1)
	s.windows(0)
}

// windows waits until the only conversation has this many windows.
func (s *webPage) windows(want int) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(500 * time.Millisecond) {
		all := s.live()
		if len(all) == 1 && all[0].Windows == want {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%v, not with %d windows", all, want)
		}
	}
}

// Another user of the machine gets nothing, even with the cookie.
func TestAPageServesNoOtherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") })
	s.enter()
	address := strings.TrimPrefix(s.base, "http://")
	script := fmt.Sprintf("exec 3<>/dev/tcp/%s && printf 'GET / HTTP/1.0\\r\\nHost: %s\\r\\nCookie: %s\\r\\n\\r\\n' >&3 && cat <&3", strings.Replace(address, ":", "/", 1), address, s.cookie)
	as := func(user uint32) string {
		command := exec.Command("bash", "-c", script)
		command.Dir = "/"
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
		out, _ := command.Output() // who is refused says nothing
		return string(out)
	}
	if told := as(65534); told != "" {
		t.Errorf("another user got %.300s", told)
	}
	if told := as(0); !strings.Contains(told, " 200 OK") {
		t.Errorf("the user got %.300s", told)
	}
}

// An answer counts only for the question that the page shows, and only once.
func TestAnAnswerOnThePageCountsForWhatItShows(t *testing.T) {
	t.Parallel()
	s := serve(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("Made.")
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{"command": "touch made"}})
	})
	s.enter()
	id := s.begin("make it")
	shown := s.until("/events", "touch made") // the inbox
	field := func(name string) string {
		found := regexp.MustCompile(`data-` + name + `=\\"([^\\]*)\\"`).FindStringSubmatch(shown)
		if found == nil {
			t.Fatalf("no %s in %s", name, shown)
		}
		return found[1]
	}
	answer := func(digest string) (int, string) {
		body, _ := json.Marshal(messages.Answer{Ask: field("ask"), Choice: messages.Yes, Digest: digest}) // texts can be encoded
		reply, text := s.send("POST", "/c/"+id+"/answer", string(body), nil)
		return reply.StatusCode, text
	}
	made := filepath.Join(s.command.Dir, "made")
	for _, attack := range []struct {
		digest string
		want   int
	}{{"", 400}, {"0123456789abcdef", 409}} {
		if status, text := answer(attack.digest); status != attack.want {
			t.Errorf("digest %q: %d %s", attack.digest, status, text)
		}
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("an answer to another question counted")
	}
	if status, text := answer(field("digest")); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	s.until("/c/"+id+"/events", "Made.")
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
	if status, text := answer(field("digest")); status != 409 {
		t.Errorf("answered again: %d %s", status, text)
	}
}

func TestOneAnswerCountsAndOthersSayWhose(t *testing.T) {
	t.Parallel()
	s := serve(t, runs("touch made"))
	s.enter()
	id := s.begin("make it")
	var pages []*follower
	for range 2 {
		page := s.follow("/c/" + id + "/events")
		page.until("touch made")
		pages = append(pages, page)
	}
	attach := s.marvin("attach", "--plain", "--role", "see", id)
	if _, err := attach.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	lines, _ := piped(t, attach)
	t.Cleanup(func() { _ = attach.Process.Kill(); _ = attach.Wait() })
	said := bufio.NewReader(lines)
	find := func(words string) string {
		for {
			line, err := said.ReadString('\n')
			if err != nil || strings.Contains(line, words) {
				return line
			}
		}
	}
	find("touch made")
	statuses := make([]int, len(pages))
	var answers sync.WaitGroup
	for i, page := range pages {
		body, _ := json.Marshal(map[string]string{"ask": page.field("ask"), "digest": page.field("digest"), "choice": []string{"yes", "no"}[i], "stream": page.stream()}) // texts can be encoded
		answers.Go(func() {
			reply, _ := s.send("POST", "/c/"+id+"/answer", string(body), nil)
			statuses[i] = reply.StatusCode
		})
	}
	answers.Wait()
	winner := slices.Index(statuses, http.StatusOK)
	if winner < 0 || statuses[1-winner] != http.StatusConflict {
		t.Fatalf("the replies are %v", statuses)
	}
	want := "page [0-9]+ answered " + []string{"yes", "no"}[winner] + ": "
	if line := find(" answered "); !regexp.MustCompile(`^\[System\] ` + want).MatchString(line) {
		t.Errorf("the terminal says %q", line)
	}
	pages[1-winner].until(want)
	if pages[winner].until("done"); strings.Contains(pages[winner].text, " answered ") {
		t.Error("a page names itself")
	}
}

// follower is an open page with the events that it received.
type follower struct {
	t     *testing.T
	lines *bufio.Reader
	text  string
}

// follow opens a page until the test ends.
func (s *webPage) follow(path string) *follower {
	s.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	s.t.Cleanup(stop)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Cookie", s.cookie)
	reply, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = reply.Body.Close() })
	return &follower{t: s.t, lines: bufio.NewReader(reply.Body)}
}

// until reads until an event matches.
func (f *follower) until(pattern string) {
	f.t.Helper()
	for wanted := regexp.MustCompile(pattern); !wanted.MatchString(f.text); {
		line, err := f.lines.ReadString('\n')
		if err != nil {
			f.t.Fatalf("the page never says %q: %v\n%s", pattern, err, f.text)
		}
		f.text += line
	}
}

// field returns an attribute of the question on the page.
func (f *follower) field(name string) string {
	f.t.Helper()
	return f.found(`data-` + name + `=\\"([^\\]*)\\"`)
}

// stream names the page in its requests.
func (f *follower) stream() string { return f.found(`"stream":"([^"]+)"`) }

func (f *follower) found(pattern string) string {
	f.t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(f.text)
	if found == nil {
		f.t.Fatalf("no %s in %s", pattern, f.text)
	}
	return found[1]
}

// In a real browser a conversation begins, streams, and is complete after each reload.
func TestAConversationInARealBrowser(t *testing.T) {
	t.Parallel()
	browser := openChromium(t)
	gate, held := make(chan struct{}), make(chan struct{})
	defer close(held)
	s := serve(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) == 0 { // for a title
			return modeltest.Text("Words")
		}
		if strings.Contains(request.Last().Text, "third") {
			return modeltest.Text("begun ").Append(modeltest.Pause(held))
		}
		if strings.Contains(request.Last().Text, "second") {
			return modeltest.Text("alpha **beta** ").Append(modeltest.Pause(gate), modeltest.Text("gamma <b>delta</b>"))
		}
		return modeltest.Text("first answer")
	})
	browser.call("Page.navigate", map[string]any{"url": s.link})
	browser.until(`document.querySelector("#start button:enabled") !== null && location.search === ""`)
	browser.value(`document.querySelector("#start textarea").value = "hello"; document.querySelector("#start button").click()`)
	browser.until(`document.querySelector("#log .assistant")?.innerText.includes("first answer") === true`)
	browser.value(`document.querySelector("#text").value = "the second"; document.querySelector("#prompt button").click()`)
	count := func(words string) string {
		return fmt.Sprintf(`(document.querySelector("main").innerText.match(/%s/g) || []).length`, words)
	}
	for range 5 {
		browser.until(`document.querySelector("#now strong")?.innerText === "beta"`)
		if got := browser.value(count("alpha beta") + `+ "," + ` + count("first answer")); got != "1,1" {
			t.Errorf("in mid-stream: %v", got)
		}
		browser.call("Page.reload", nil)
		browser.until(`document.readyState === "complete"`)
		browser.until(`document.querySelector("#now strong") !== null`)
		browser.value(`source.close(); stream = ""; listen()`) // as behind a lost connection
		browser.until(`stream !== ""`)
	}
	close(gate)
	browser.until(count("gamma <b>delta<.b>") + ` === 1 && document.querySelector("#now").innerText === ""`)
	if got := browser.value(count("alpha beta") + `+ "," + ` + count("the second") + `+ "," + ` + count("first answer")); got != "1,1,1" {
		t.Errorf("at the end: %v", got)
	}
	browser.call("Page.reload", nil)
	browser.until(count("alpha beta gamma <b>delta<.b>") + ` === 1 && stream !== ""`)
	browser.value(`document.querySelector("#text").value = "the third"; document.querySelector("#prompt button").click()`)
	browser.until(`document.querySelector("#now").innerText.includes("begun")`)
	browser.value(`document.querySelector("[data-op=cancel]").click()`)
	browser.until(count("Cancelled") + ` === 1`)
}
