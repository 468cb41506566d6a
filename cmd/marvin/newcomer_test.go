package main

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// newHome gives the user of a pane a home in which Marvin was never started.
func (p *pane) newHome(name string) {
	p.press("mkdir -p "+name+"/d && export HOME=$PWD/"+name+" && cd "+name+"/d && clear", "Enter")
	p.sees("$")
}

// The first start asks about colors, finds a server on this machine, and ends in a conversation
// with one of its models.
func TestTheFirstStartEndsInAConversation(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close() // nothing answers there yet
	p := openPane(t, 100, 40)
	p.newHome("first")
	p.press("LLAMACPP_URL=http://"+address+"/v1 marvin", "Enter")
	p.sees("Which colors?", "1 dark", "Try  ")
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Skip("another program took the port:", err)
	}
	server := &http.Server{Handler: modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("I heard you.") })}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	p.press("2")
	p.sees("▸ 2 light")
	p.press("Enter")
	p.sees("Which model provider do you want to use?", "llamacpp", "ready", "later")
	p.press("llamacpp", "Enter")
	p.sees("Which of its models?")
	p.press("Enter")
	p.sees("now asking llamacpp")
	p.press("hello", "Enter")
	p.sees("I heard you.")
	p.press("n") // to the question about files, should it be there
	p.press("C-c", "C-u", "C-d")
	p.leaves()
	p.clear()
	p.press("marvin config get theme", "Enter")
	p.sees("marvin-light")
}

// With a key in the environment the first start asks for colors and offers that provider first. A
// user who named a provider is only asked for colors.
func TestTheFirstStartWithAKeyAsksForColors(t *testing.T) {
	t.Parallel()
	p := openPane(t, 100, 40)
	for name, environ := range map[string]string{"key": "", "named": "LLM_PROVIDER=openai OPENAI_MODEL=gpt-5.1 "} {
		p.newHome(name)
		p.press(environ+"OPENAI_API_KEY=sk-0123456789 marvin", "Enter")
		p.sees("Which colors?", "1 dark", "Try  ")
		p.press("Enter")
		if name == "key" {
			p.sees("Which model provider do you want to use?", "openai ", "ready: ", "keep ")
			p.press("Escape")
		}
		p.until("no question", func(shown string) bool { return !strings.Contains(shown, "Which ") })
		p.press("hello")
		p.sees("› hello")
		p.press("C-u", "C-d")
		p.leaves()
		p.press("cd ../..", "Enter")
	}
}

// Text that is typed at the first start is a prompt, and the questions are never asked again.
func TestTextTypedAtTheFirstStartIsAPrompt(t *testing.T) {
	t.Parallel()
	p := openPane(t, 100, 30)
	for name, prompt := range map[string]string{"words": "convert 12 km to miles", "digits": "2+3 km in miles"} {
		p.newHome(name)
		p.press("marvin -n -p 'convert 12 km to miles'", "Enter") // a first try without the screen is no first start
		p.sees("7.456")
		p.clear()
		p.press("marvin", "Enter")
		p.sees("Which colors?")
		p.press(prompt)
		if shown := p.sees("› " + prompt); strings.Contains(shown, "Which colors?") {
			t.Errorf("%s: the question stays:\n%s", name, shown)
		}
		p.press("C-u", "C-d")
		p.leaves()
		p.clear()
		p.press("marvin", "Enter")
		if shown := p.sees("Try  "); strings.Contains(shown, "Which colors?") {
			t.Errorf("%s: the next start asks again:\n%s", name, shown)
		}
		p.press("C-d")
		p.leaves()
		p.press("cd ../..", "Enter")
	}
}
