package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/tools/internal/gate"
	"marvin/tools/internal/hostnames"
	"marvin/tools/internal/jail"
)

// This file restricts the hosts that a command contacts after untrusted or private text has entered
// the conversation. In the complete sandbox, the command then reaches the network only through
// Marvin (tools/internal/gate). Marvin allows this machine, package registries, the project's git
// remotes, and hosts that the user or a rule names. Marvin asks the user about all other hosts, or
// refuses them if no user is present. If the sandbox cannot restrict hosts, Marvin examines the
// text of the command instead; see outflow.go.

// ErrHosts means that a command did not start, because this system's sandbox turned out to be
// unable to restrict hosts. For later commands, Marvin examines the text of the command instead.
var ErrHosts = jail.ErrHosts

// HoldsHosts reports whether the sandbox restricts the hosts that this call's commands contact.
func (e Env) HoldsHosts() bool { return e.Tainted != "" && e.Confines() && e.canHoldHosts() }

func (e Env) canHoldHosts() bool {
	return e.approval() != messages.ApproveAll && e.Sandbox.HoldsHosts()
}

// throughHosts returns a copy of the jail with a network that reaches only permitted hosts. It
// returns the original jail for a call whose hosts are unrestricted.
func (e Env) throughHosts(cell *jail.Jail) *jail.Jail {
	if cell == nil || e.Anywhere || e.Tainted == "" && !e.Stays || !e.canHoldHosts() {
		return cell
	}
	way := gate.NewWay(http.ProxyFromEnvironment)
	way.Hosts, way.Told, way.Allow = e.Sandbox.Hosts(), e.Told, e.hostCheck(append(e.allowedHosts(), e.Speaks...))
	if e.Tainted == "" {
		way.Open = func() bool { return e.Known.Taint() == "" }
	}
	if e.ways != nil {
		e.ways.add(way)
	}
	return cell.WithNetwork(way)
}

// taint returns the source of untrusted or private text in the conversation. The text may have
// arrived before or during the call.
func (e Env) taint() string { return cmp.Or(e.Tainted, e.Known.Taint()) }

// callNetworks holds the networks through which the commands of one call reach hosts.
type callNetworks struct {
	mu  sync.Mutex
	all []*gate.Way
}

func (w *callNetworks) add(way *gate.Way) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, way)
}

// addRefusedHosts withdraws the unanswered questions of a finished call, and adds the refused hosts
// to the call's output.
func (e Env) addRefusedHosts(output Output) Output {
	e.ways.mu.Lock()
	defer e.ways.mu.Unlock()
	var hosts []string
	for _, way := range e.ways.all {
		way.Quiet()
		hosts = append(hosts, way.Refused()...)
	}
	slices.Sort(hosts)
	if hosts = slices.Compact(hosts); len(hosts) == 0 {
		return output
	}
	if output.Text != "" && !strings.HasSuffix(output.Text, "\n") {
		output.Text += "\n"
	}
	output.Text, output.Refused, output.Held = output.Text+e.refusedHosts(hosts), hosts, false
	return output
}

// Background returns the environment for a command that outlives the tool call. The report callback
// receives each host that Marvin refuses. Private or untrusted text that arrives later restricts
// the command, because the model can change the command's files and input.
func (e Env) Background(job func() string, report func(host string)) Env {
	e.ways, e.Ask, e.Told, e.Stays, e.job = nil, e.AskLater, report, true, job
	return e
}

// allowedHosts returns the hosts that the command names and may contact. A host is allowed if the
// user approved this call, if the user typed the host or the login (such as "git@example.com"), or
// if a rule allows the command to send data to the host. If the command pushes to a configured
// git remote, the remote's host is also allowed if the user typed the word "push".
func (e Env) allowedHosts() (hosts []string) {
	for _, to := range commandSends(e.Line, e) {
		at, _ := hostnames.ParseAddress(to.Address)
		ruled := e.Rules != nil && e.Rules.rules.AllowsSending(shellTool, to.Name, at.Scheme, at.Rest)
		if to.Reach == Chosen && (e.Approved || to.Own || ruled) {
			hosts = append(hosts, to.Name)
		}
	}
	return hosts
}

// shellTool is the name of the shell tool. Rules such as run_command(ssh://example.com/*) begin
// with this name.
const shellTool = "run_command"

// hostCheck returns a function that decides whether a command may contact a host. The function
// returns nil, or the reason for the refusal.
func (e Env) hostCheck(opened []string) func(ctx context.Context, host string, port uint16) error {
	return func(ctx context.Context, host string, port uint16) error {
		address := net.JoinHostPort(host, strconv.Itoa(int(port)))
		switch {
		case e.isRegistry(host), slices.Contains(opened, host), slices.Contains(opened, address), e.namesHost(host, address, port):
			return nil
		case slices.Contains(e.Sandbox.Remotes(e.Root), host):
			return nil
		}
		return e.askForHost(ctx, host, address)
	}
}

// namesHost reports whether the user or a rule names a host, with or without its port.
func (e Env) namesHost(host, address string, port uint16) bool {
	for _, name := range []string{host, address} {
		if e.Known.classify(Destination{Reach: Chosen, Name: name}) == named {
			return true
		}
	}
	if e.Rules == nil {
		return false
	}
	rules := e.Rules.rules
	switch port {
	case 443:
		return rules.AllowsSending(shellTool, host, "https", "")
	case 80:
		return rules.AllowsSending(shellTool, host, "http", "")
	}
	return rules.AllowsSending(shellTool, host, "ssh", "") || rules.AllowsSending(shellTool, address, "https", "") || rules.AllowsSending(shellTool, address, "http", "")
}

// UnapprovedHosts returns the hosts that the call names and that need the user's approval. The
// result is nil if the sandbox does not restrict hosts.
func (c Call) UnapprovedHosts(env Env) (hosts []string) {
	if !env.HoldsHosts() {
		return nil
	}
	env.Ask = nil
	reach := env.hostCheck(env.allowedHosts())
	for _, to := range c.Destinations(env) {
		at, _ := hostnames.ParseAddress(to.Address)
		host, port := to.Name, map[string]uint16{"http": 80, "https": 443}[at.Scheme]
		if name, number, err := net.SplitHostPort(host); err == nil {
			parsed, _ := strconv.ParseUint(number, 10, 16)
			host, port = name, uint16(parsed)
		}
		if to.Reach == Chosen && reach(context.Background(), host, port) != nil && !slices.Contains(hosts, to.Name) {
			hosts = append(hosts, to.Name)
		}
	}
	return hosts
}

// errUnnamed means that the user did not name the host.
var errUnnamed = errors.New("the user did not name this host")

// hostPatience is how long a connection waits for the user's answer.
const hostPatience = 2 * time.Minute

// The possible answers to a question about a host.
const (
	hostOnce   = "for this command"
	hostAlways = "always in this conversation"
	hostNever  = "do not allow it"
)

// askForHost asks the user whether a command may contact a host. The question is withdrawn when the
// command ends.
func (e Env) askForHost(ctx context.Context, host, address string) error {
	if e.Ask == nil || !e.Person {
		return errUnnamed
	}
	who := "this command"
	if e.job != nil {
		who = "job " + cmp.Or(e.job(), "in the background")
	}
	ctx, stop := context.WithTimeout(ctx, hostPatience)
	defer stop()
	reply, err := e.Ask(ctx, Inquiry{
		Kind: messages.AskChoice, Title: "Let " + Visible(who) + " contact " + Visible(address) + "?", Wait: hostPatience,
		Detail: fmt.Sprintf("%s\n%s brought in untrusted or private text; the owner of %s can read what the command sends there.", Visible(e.Line), e.taint(), Visible(host)),
		Questions: []messages.Question{{
			Text: "May it?", Default: []string{hostNever},
			Options: []messages.Option{{Label: hostOnce}, {Label: hostAlways}, {Label: hostNever}},
		}},
	})
	if err != nil || reply.Unanswered != "" || reply.Choice != messages.Yes || len(reply.Chosen) == 0 {
		return errUnnamed
	}
	switch chosen := reply.Chosen[0].Options; {
	case slices.Contains(chosen, hostAlways):
		e.Known.Grant(host)
		return nil
	case slices.Contains(chosen, hostOnce):
		return nil
	}
	return errUnnamed
}

// HostRefused returns a note that explains to the model why Marvin refused the host.
func (e Env) HostRefused(host string) string { return e.refusedHosts([]string{host}) }

func (e Env) refusedHosts(hosts []string) string {
	first, port, err := net.SplitHostPort(hosts[0])
	if err != nil {
		first, port = hosts[0], ""
	}
	scheme := map[string]string{"443": "https", "80": "http"}[port]
	rule := fmt.Sprintf("%s(%s://%s/*)", shellTool, scheme, first)
	if scheme == "" {
		rule = fmt.Sprintf("%s(ssh://%s/*)", shellTool, first)
	}
	return fmt.Sprintf("[sandbox: the command tried to contact %s, but Marvin refused: %s brought in untrusted or private text, and the user did not name this host. Do without it, and do not send the data elsewhere. Tell the user: to allow it, name %s in a prompt, or add this rule under \"allow:\" in \"permissions:\" in config.yaml: %s]\n",
		Visible(strings.Join(hosts, ", ")), e.taint(), Visible(first), Visible(rule))
}

// HostNotices returns one notice for each refused host.
func HostNotices(tool string, hosts []string) (told []string) {
	for _, host := range hosts {
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		told = append(told, tool+" tried to contact "+Visible(host)+", and Marvin refused. To allow it, name "+Visible(name)+" in a prompt or in a rule")
	}
	return told
}
