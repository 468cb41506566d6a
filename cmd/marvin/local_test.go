package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// unanswering accepts connections, never answers, and counts them.
func unanswering(t *testing.T) (address string, taken func() int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String(), func() (count int) {
		mine, err := net.Dial("tcp", listener.Addr().String()) // behind all others in the queue
		if err != nil {
			t.Fatal(err)
		}
		defer mine.Close()
		for {
			conn, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if conn.RemoteAddr().String() == mine.LocalAddr().String() {
				return count
			}
			count++
		}
	}
}

func TestServersOfThisMachineAreAskedWhenWanted(t *testing.T) {
	local := []string{"OLLAMA_URL", "LMSTUDIO_URL", "LLAMACPP_URL", "VLLM_URL"}
	model := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("I heard you.") })
	key := []string{"OPENAI_COMPAT_API_KEY=key", "OPENAI_COMPAT_URL=" + model.URL + "/v1"}
	for _, test := range []struct {
		words   string
		environ []string
		want    []int // connections to each
		says    string
	}{
		{"--version", nil, []int{0, 0, 0, 0}, ""},
		{"-n -p hi", key, []int{0, 0, 0, 0}, "I heard you."},
		{"-n -p hi --provider offline", nil, []int{0, 0, 0, 0}, "offline"},
		{"models openai-compat", key, []int{0, 0, 0, 0}, "openai-compat/test-model"},
		{"models anthropic", nil, []int{0, 0, 0, 0}, "no key"},
		{"models", key, []int{1, 1, 1, 1}, "openai-compat/test-model"},
		{"models vllm", key, []int{0, 0, 0, 1}, "vllm: nothing answers at"},
		{"models", nil, []int{2, 2, 2, 2}, "llamacpp: nothing answers at"}, // also with the default provider
		{"doctor", key, []int{1, 1, 1, 1}, "lmstudio         does not answer at"},
	} {
		t.Run(fmt.Sprint(test.words, len(test.environ)), func(t *testing.T) {
			environ := append([]string{"HOME=" + t.TempDir(), "PATH=/nowhere", sandboxHere()}, test.environ...)
			var counts []func() int
			for i, name := range local {
				address, taken := unanswering(t)
				counts = append(counts, taken)
				// The variables name the addresses of the servers. The default ports are tested
				// below.
				environ = append(environ, name+"="+address+[]string{"", "/v1"}[min(i, 1)])
			}
			if test.words == "-n -p hi" || strings.HasPrefix(test.words, "doctor") {
				environ = append(environ, "LLM_PROVIDER=openai-compat")
			}
			command := exec.Command(os.Args[0], strings.Fields(test.words)...)
			command.Args[0], command.Dir, command.Env = "marvin", t.TempDir(), environ
			out, _ := command.CombinedOutput()
			var got []int
			for _, taken := range counts {
				got = append(got, taken())
			}
			if !slices.Equal(got, test.want) || !strings.Contains(string(out), test.says) {
				t.Errorf("%v connections, not %v; it says %s", got, test.want, out)
			}
		})
	}
}

func TestTheUsualPorts(t *testing.T) {
	pool, err := providers.NewPool()
	if err != nil {
		t.Fatal(err)
	}
	servers, err := providers.Wishes{Pool: pool, Getenv: func(string) string { return "" }}.Servers()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, server := range servers {
		got = append(got, server.Name+" "+server.URL)
	}
	want := []string{"ollama http://localhost:11434", "lmstudio http://localhost:1234/v1", "llamacpp http://localhost:8080/v1", "vllm http://localhost:8000/v1"}
	if !slices.Equal(got, want) || accounts.LocalServerTimeout != 300*time.Millisecond {
		t.Errorf("%q, within %s", got, accounts.LocalServerTimeout)
	}
}
