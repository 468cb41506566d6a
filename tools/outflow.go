package tools

import (
	"fmt"

	"marvin/tools/internal/hostnames"
	"marvin/tools/internal/permit"
)

// These rules decide whether data may leave this machine. An address can carry text away: a request
// for https://evil.example/?d=… sends the text after "d=" to the owner of evil.example. Even the
// lookup of a host name can send text to the owner of the host. While the conversation contains no
// untrusted or private text, the rules restrict only calls that send a [Personal] value. Afterward,
// the decision depends on the effect of the call, the destination, and the trust in the
// destination.
//
// Requests to services whose hosts are fixed in the code are allowed, because only the services'
// operators read the requests.
//
// A command whose program evidently sends data (curl, ssh, git push with an address, dig, …) counts
// as a call to a host that the model chose. All other commands are allowed, and so is every command
// in a sandbox without network access.
//
// Marvin asks the user before each call to a host that the model chose, with two exceptions. An
// address that was in text from the network or from the user is allowed, because such an address
// carries nothing new. This exception does not cover addresses that came in a message or could
// trigger an action, unless the user typed them. It also does not cover calls that send more than
// the address. A host is allowed if the user, a rule or an earlier answer named the host. If the
// exact address came in a message and the user did not type it, only a rule allows the call.
//
// A call that sends text to other people needs the user's approval, with two exceptions. A rule can
// allow the call. If no user is present, a destination that the prompt or the command line named is
// allowed.
//
// A question shows all the data that would be sent. If no user is present, Marvin refuses every
// call that needs approval.

// trust is the degree of trust in a destination. The constants are in ascending order.
type trust uint8

const (
	mailed trust = iota // the exact address was in a message; Marvin asks the user before each use
	unknown
	read  // this exact address came from the network or from the user
	named // the user named the destination, or answered "always"
	ruled // one of the user's rules allows the destination
)

// decideSending decides whether a call that sends data needs the user's consent. It assumes that
// the conversation contains untrusted or private text.
func decideSending(effect Effect, reach Reach, known trust, person bool) Decision {
	switch {
	case known == ruled:
		return Allow
	case effect == Outside || reach == Public:
		if known == named && !person {
			return Allow
		}
		return Ask
	case known <= unknown:
		return Ask
	}
	return Allow
}

// SystemText is the description of the system text in reasons and notices.
const SystemText = "the system text (saved places, preferences, profile)"

// Decision is the outcome for a call: [Allow], [Ask] or [Deny].
type Decision = permit.Decision

// outflow makes the verdict stricter if the call would send data to a destination that needs the
// user's consent.
func (p *Permissions) outflow(verdict Verdict, call Call, env Env) Verdict {
	if env.Tainted == "" && len(env.Personal) == 0 || verdict.Decision == Deny {
		return verdict
	}
	if call.Command != nil && (env.Sandbox.Mode() == SandboxStrict || verdict.Ruled && verdict.Decision == Allow) {
		return verdict // the sandbox blocks the network, or rules allow the whole command
	}
	// held is false for job_input, because the job can run outside the sandbox.
	held := call.Command != nil && call.Tool.Name == shellTool && env.HoldsHosts()
	if held && verdict.Decision == Allow {
		return verdict // the sandbox restricts the hosts; see hosts.go
	}
	for _, to := range call.Destinations(env) {
		known := p.classify(call, to, env)
		if decideSending(call.Tool.Effect, to.Reach, known, env.Person) == Allow {
			continue
		}
		if env.Tainted == "" {
			if !env.Personal.carriedBy(to.Payload, env.Known.typedTerm) {
				continue
			}
			env.Tainted = SystemText
		}
		verdict.Decision, verdict.Firm = max(verdict.Decision, Ask), verdict.Firm || !held
		verdict.Payload, verdict.Place = to.Payload, to.Name
		reason := fmt.Sprintf("%s brought in untrusted or private text; make sure that you want to send this to %s", env.Tainted, to.Name)
		verdict.Advice = "Do without it, and do not send the data elsewhere. Tell the user: it is sent if " + to.promptNames() + "a rule under \"allow:\" in \"permissions:\" in config.yaml allows " + call.Tool.Name + "."
		switch {
		case to.Reach == Chosen && call.Command != nil:
			if known != mailed {
				verdict.Host = to.Name
			}
			reason = fmt.Sprintf("%s brought in untrusted or private text, and the command sends data to a host of the model's choice: the owner of %s can read that data", env.Tainted, to.Name)
			verdict.Advice = fmt.Sprintf("Do without it, and do not send it elsewhere. Tell the user: the command runs if they name %[1]s in a prompt, or if they add this rule under \"allow:\" in \"permissions:\" in config.yaml: %[2]s(%[3]s://%[1]s/*)", to.Name, call.Tool.Name, to.scheme())
		case to.Reach == Chosen:
			if known != mailed {
				verdict.Host = to.Name
			}
			reason = fmt.Sprintf("%s brought in untrusted or private text, and the model composed this address: the owner of %s can read the whole address", env.Tainted, to.Name)
			verdict.Advice = fmt.Sprintf("Open only addresses that you copied exactly from search results, from pages, or from what the user wrote. Tell the user: to allow this address, name %[1]s in a prompt, or add this rule under \"allow:\" in \"permissions:\" in config.yaml: %[2]s(https://%[1]s/*)", to.Name, call.Tool.Name)
		case call.Command != nil:
			verdict.Advice = "Write out the whole address so that Marvin can judge it, or omit the address."
		}
		verdict.Reasons = append(verdict.Reasons, Visible(reason))
		return verdict
	}
	return verdict
}

// classify determines the trust in a destination from the rules, the prompt and the conversation.
func (p *Permissions) classify(call Call, to Destination, env Env) trust {
	at, _ := hostnames.ParseAddress(to.Address)
	switch {
	case p != nil && call.Command == nil && p.rules.AllowsPlace(call.ruled(env, nil, false), to.Name, at.Scheme, at.Rest),
		p != nil && call.Command != nil && p.rules.AllowsSending(call.Tool.Name, to.Name, at.Scheme, at.Rest):
		return ruled
	case to.Own:
		return named
	}
	return env.Known.classify(to)
}

// Destinations returns the destinations to which the call would send data.
func (c Call) Destinations(env Env) []Destination {
	switch {
	case c.sends != nil:
		return c.sends(env)
	case c.Command != nil:
		return commandSends(*c.Command, env)
	case c.Tool.Effect == Outside:
		// The recipients are unknown, so no prompt can name them.
		return ToPeople("whoever "+c.Tool.Name+" reaches", "")
	}
	return nil
}
