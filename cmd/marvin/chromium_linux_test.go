package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// sharedBrowser is a real Chromium, driven through the pipe of its DevTools protocol. Tests that run
// at the same time share it, because each start takes more than a second of processor time. The
// first test starts it, and the last one ends it.
var sharedBrowser struct {
	mu sync.Mutex
	*browserProcess
}

type browserProcess struct {
	command *exec.Cmd
	users   int
	profile string // t.TempDir would remove it with the first test
	out     *os.File

	writing sync.Mutex // held during writes to in
	in      *os.File

	mu      sync.Mutex
	number  int
	waiting map[int]chan reply // by the number of the request; nil after the browser's end
}

// reply is the browser's answer to one request.
type reply struct {
	ID     int
	Result map[string]any
	Error  any
}

// chromium is a tab of the browser. Each test has a context of its own, with its own cookies.
type chromium struct {
	t       *testing.T
	process *browserProcess
	context string
	session string
}

func openChromium(t *testing.T) *chromium {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium")
	}
	sharedBrowser.mu.Lock()
	defer sharedBrowser.mu.Unlock()
	if p := sharedBrowser.browserProcess; p == nil || p.users == 0 || p.ended() {
		sharedBrowser.browserProcess = startBrowser(t)
	}
	c := &chromium{t: t, process: sharedBrowser.browserProcess}
	c.process.users++
	t.Cleanup(func() {
		sharedBrowser.mu.Lock()
		defer sharedBrowser.mu.Unlock()
		if c.process.users--; c.process.users > 0 {
			_, _ = c.process.ask(map[string]any{"method": "Target.disposeBrowserContext", "params": map[string]any{"browserContextId": c.context}})
			return
		}
		if err := c.process.end(); err != nil {
			t.Error(err)
		}
	})
	c.context, _ = c.callBrowser("Target.createBrowserContext", nil)["browserContextId"].(string)
	return c.opens("about:blank")
}

func startBrowser(t *testing.T) *browserProcess {
	t.Helper()
	read, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--disable-gpu", "--in-process-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--user-data-dir=" + profile, "--remote-debugging-pipe"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // as root it does not start with it
	}
	p := &browserProcess{command: exec.Command("chromium", args...), profile: profile, in: in, out: out, waiting: map[int]chan reply{}}
	p.command.ExtraFiles = []*os.File{read, write}
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = read.Close(), write.Close() // the browser has them
	go p.readReplies()
	return p
}

// end ends the browser, even if it does not answer.
func (p *browserProcess) end() error {
	kill := func() { _ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL) }
	if _, err := p.ask(map[string]any{"method": "Browser.close"}); err != nil {
		kill()
	}
	defer time.AfterFunc(patience, kill).Stop()
	failed := p.command.Wait()
	_, _ = p.in.Close(), p.out.Close()
	if err := os.RemoveAll(p.profile); failed == nil {
		return err
	}
	return nil // processes of a browser that was killed may still write
}

func (p *browserProcess) ended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting == nil
}

// readReplies passes each reply on to its request, until the browser ends.
func (p *browserProcess) readReplies() {
	for out := bufio.NewReader(p.out); ; {
		text, err := out.ReadBytes(0)
		if err != nil {
			p.mu.Lock()
			for _, waiting := range p.waiting {
				close(waiting)
			}
			p.waiting = nil
			p.mu.Unlock()
			return
		}
		var r reply
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &r) != nil {
			continue
		}
		p.mu.Lock()
		if waiting := p.waiting[r.ID]; waiting != nil { // an event has no number
			waiting <- r
			delete(p.waiting, r.ID)
		}
		p.mu.Unlock()
	}
}

// call calls a method of the tab and returns its result.
func (c *chromium) call(method string, params map[string]any) map[string]any {
	return c.send(map[string]any{"method": method, "params": params, "sessionId": c.session})
}

// callBrowser calls a method of the whole browser and returns its result.
func (c *chromium) callBrowser(method string, params map[string]any) map[string]any {
	return c.send(map[string]any{"method": method, "params": params})
}

func (c *chromium) send(request map[string]any) map[string]any {
	r, err := c.process.ask(request)
	if r.Error != nil && request["method"] == "Runtime.evaluate" {
		return nil // the page changes
	}
	if err == nil && r.Error != nil {
		err = fmt.Errorf("%v", r.Error)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", request["method"], err)
	}
	return r.Result
}

// ask returns the browser's reply to a request. It fails if there is none.
func (p *browserProcess) ask(request map[string]any) (reply, error) {
	answer := make(chan reply, 1)
	p.mu.Lock()
	p.number++
	request["id"] = p.number
	if p.waiting == nil {
		p.mu.Unlock()
		return reply{}, errBrowserEnded
	}
	p.waiting[p.number] = answer
	p.mu.Unlock()
	text, err := json.Marshal(request)
	if err != nil {
		return reply{}, err
	}
	p.writing.Lock()
	_, err = p.in.Write(append(text, 0))
	p.writing.Unlock()
	if err != nil {
		return reply{}, err
	}
	select {
	case r, ok := <-answer:
		if !ok {
			return reply{}, errBrowserEnded
		}
		return r, nil
	case <-time.After(patience):
		return reply{}, errors.New("the browser does not reply")
	}
}

var errBrowserEnded = errors.New("the browser has ended")

// value returns the value of an expression on the page, nil while the page changes.
func (c *chromium) value(expression string) any {
	evaluated := c.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	result, _ := evaluated["result"].(map[string]any)
	return result["value"]
}

// until waits until an expression is true.
func (c *chromium) until(expression string) {
	c.t.Helper()
	for deadline := time.Now().Add(patience / 2); c.value(expression) != true; {
		if time.Now().After(deadline) {
			c.t.Fatalf("never %s on\n%v", expression, c.value("document.body.innerText"))
		}
		c.value("new Promise((done) => requestAnimationFrame(() => done()))")
	}
}

// opens opens an address in another tab, which has the cookies of this one, and shows it.
func (c *chromium) opens(url string) *chromium {
	c.t.Helper()
	tab := *c
	target := c.callBrowser("Target.createTarget", map[string]any{"url": url, "newWindow": true, "browserContextId": c.context})
	tab.session, _ = c.callBrowser("Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true})["sessionId"].(string)
	return &tab
}

// size gives the browser a window of another size.
func (c *chromium) size(width, height int) {
	c.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
}

// scheme is light or dark.
func (c *chromium) scheme(name string) {
	c.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": name}}})
}

// presses types a key as the user does.
func (c *chromium) presses(key string) {
	code := map[string]int{"Enter": 13, "Tab": 9, "ArrowDown": 40, "Escape": 27}[key]
	text := map[string]string{"Enter": "\r"}[key]
	for _, kind := range []string{"keyDown", "keyUp"} {
		c.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text})
	}
}

// writes types a text where the focus is.
func (c *chromium) writes(text string) { c.call("Input.insertText", map[string]any{"text": text}) }
