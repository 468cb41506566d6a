package fleet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"marvin/cmd/marvin/internal/batch"
)

func TestFleetErrorAdvice(t *testing.T) {
	plain, known := Address{Stream: "s"}, Address{Stream: "s", Creds: "me.creds"}
	remote := &net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}
	dial := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	read := &net.OpError{Op: "read", Err: errors.New("odd")}
	for _, row := range []struct {
		err    error
		a      Address
		absent bool
		advice string
	}{
		{nats.ErrAuthExpired, known, false, "ask the server's administrator for new credentials (--creds FILE)"},
		{nats.ErrAuthRevoked, known, false, "ask the server's administrator for new credentials (--creds FILE)"},
		{nats.ErrAccountAuthExpired, known, false, "ask the server's administrator for new credentials (--creds FILE)"},
		{nats.ErrAuthorization, plain, false, "the server requires a login: give --creds FILE or --nkey FILE"},
		{nats.ErrAuthorization, known, false, "the server does not accept me.creds; check whether its configuration has this user"},
		{nats.ErrAuthorization, Address{NKey: "me.nk"}, false, "the server does not accept me.nk; check whether its configuration has this user"},
		{nats.ErrPermissionViolation, plain, false, "this NATS user needs the rights to publish and subscribe to s.>, $JS.API.>, $JS.ACK.>, $KV.s-fleet.> and _INBOX.>"},
		{nats.ErrNkeysNotSupported, plain, false, "the server has no users with keys; leave out --creds and --nkey, or add such users to its configuration"},
		{nats.ErrSecureConnWanted, plain, false, "the server has no TLS; use nats://HOST to connect without encryption"},
		{x509.UnknownAuthorityError{}, plain, false, "give the CA certificates of this server with --ca FILE"},
		{x509.HostnameError{Certificate: &x509.Certificate{}}, plain, false, "the server needs a certificate that is valid now and matches the name or address in --fleet"},
		{x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}, plain, false, "the server needs a certificate that is valid now and matches the name or address in --fleet"},
		{tls.AlertError(42), plain, false, "the server requires a client certificate: give --cert FILE and --cert-key FILE"},
		{remote, plain, false, "the server requires a client certificate: give --cert FILE and --cert-key FILE"},
		{nats.ErrTLS, plain, false, "the server requires a client certificate: give --cert FILE and --cert-key FILE"},
		{jetstream.ErrJetStreamNotEnabledForAccount, plain, false, "enable JetStream for this account in the server's configuration (jetstream: enabled)"},
		{nats.ErrNoServers, plain, true, "is \"nats-server -js\" running there?"},
		{nats.ErrTimeout, plain, true, "is \"nats-server -js\" running there?"},
		{io.EOF, plain, true, "is \"nats-server -js\" running there?"},
		{syscall.ECONNRESET, plain, true, "is \"nats-server -js\" running there?"},
		{&net.DNSError{}, plain, true, "is \"nats-server -js\" running there?"},
		{os.ErrDeadlineExceeded, plain, true, "is \"nats-server -js\" running there?"},
		{dial, plain, true, "is \"nats-server -js\" running there?"},
		{read, plain, false, ""},
		{errors.New("else"), plain, false, ""},
	} {
		err := fmt.Errorf("try: %w", row.err)
		want := err.Error()
		if row.advice != "" {
			want += "; " + row.advice
		}
		if got := row.a.advise(err); got.Error() != want || !errors.Is(got, err) || noServerAnswers(err) != row.absent {
			t.Errorf("%v: absent %v, advice %v", err, noServerAnswers(err), got)
		}
	}
	if plain.advise(nil) != nil {
		t.Error("nothing is advised against")
	}
	for servers, want := range map[string]string{"nats://me:word@a:1,tls://b": "a:1,tls://b", "nats://a": "nats://a", "": "", "t@ken@a": "a"} {
		if got := withoutSecrets(servers); got != want {
			t.Errorf("%q is told as %q", servers, got)
		}
	}
}

func TestFleetIdentity(t *testing.T) {
	dir := t.TempDir()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := user.Seed()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	nk, odd := file("user.nk", string(seed)), file("odd", "text")
	creds := file("user.creds", "-----BEGIN NATS USER JWT-----\nabc\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\n"+string(seed)+"\n------END USER NKEY SEED------\n")
	usual, err := Address{}.options()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		address Address
		more    int
		err     string
	}{
		{Address{Creds: creds}, 1, ""},
		{Address{NKey: nk}, 1, ""},
		{Address{CA: odd}, 1, ""},
		{Address{Cert: odd, Key: odd}, 1, ""},
		{Address{NKey: nk, CA: odd, Cert: odd, Key: odd}, 3, ""},
		{Address{Creds: creds, NKey: nk}, 0, "--creds and --nkey both say who you are; give one of them"},
		{Address{Cert: odd}, 0, "give --cert and --cert-key together: a certificate and its key"},
		{Address{Key: odd}, 0, "give --cert and --cert-key together: a certificate and its key"},
		{Address{Creds: dir + "/none"}, 0, "--creds " + dir + "/none: open " + dir + "/none: no such file or directory"},
		{Address{Creds: odd}, 0, "--creds " + odd + ": nkeys: no nkey seed found; it is not a credentials file; to write one, run nsc generate creds"},
		{Address{NKey: odd}, 0, "--nkey " + odd + ": nkeys: no nkey seed found; the file must hold a user seed, which begins with SU"},
	} {
		options, err := row.address.options()
		if row.err == "" && (err != nil || len(options) != len(usual)+row.more) || row.err != "" && (err == nil || err.Error() != row.err) {
			t.Errorf("%+v: %d options, %v", row.address, len(options)-len(usual), err)
		}
		if row.err != "" {
			if _, err := Open(t.Context(), Address{Servers: "nats://me:word@127.0.0.1:1", Stream: "s", Creds: row.address.Creds, NKey: row.address.NKey, Cert: row.address.Cert, Key: row.address.Key}); err == nil || err.Error() != "--fleet 127.0.0.1:1: "+row.err {
				t.Errorf("%v", err)
			}
		}
	}
	if _, err := Open(t.Context(), Address{Stream: "a.b"}); err == nil || err.Error() != `--stream "a.b": a name has at most 40 characters: letters, digits, - and _` {
		t.Errorf("%v", err)
	}
}

func TestWorkerMatchesDemand(t *testing.T) {
	worker := Announcement{Protocol: Protocol, Labels: []string{"gpu"}, Providers: []string{"groq"}, Roles: []string{"review"}, Dirs: []string{"/srv", "/one/"}, Git: true}
	other, leaving, bare := worker, worker, Announcement{Protocol: Protocol}
	other.Protocol, leaving.Draining = Protocol+1, true
	for _, row := range []struct {
		wanted     demand
		meets, any bool
	}{
		{demand{}, true, true},
		{demand{Label: "gpu"}, true, false},
		{demand{Label: "tpu"}, false, false},
		{demand{Provider: "groq"}, true, false},
		{demand{Provider: "x"}, false, false},
		{demand{Role: "review"}, true, false},
		{demand{Role: "x"}, false, false},
		{demand{Git: true}, true, false},
		{demand{Dir: "/srv"}, true, false},
		{demand{Dir: "/srv/a"}, true, false},
		{demand{Dir: "/srva"}, false, false},
		{demand{Dir: "/one/a"}, true, false},
		{demand{Dir: "/"}, false, false},
		{demand{Label: "gpu", Provider: "groq", Role: "review", Dir: "/srv", Git: true}, true, false},
	} {
		if worker.meets(row.wanted) != row.meets || bare.meets(row.wanted) != row.any || other.meets(row.wanted) || leaving.meets(row.wanted) {
			t.Errorf("%+v: %v, by a bare one %v", row.wanted, worker.meets(row.wanted), bare.meets(row.wanted))
		}
	}
	if got := (demand{Role: "r"}).words() + "; " + (demand{Git: true}).words(); got != "role r; checkouts of git" {
		t.Error(got)
	}
}

func TestWorkerPresence(t *testing.T) {
	start, said := time.Unix(1000, 0), hears()
	now := start
	seen := func(name string, running int, labels ...string) sighting {
		return sighting{Announcement{Worker: name, Protocol: Protocol, Running: running, Labels: labels}, start}
	}
	s := &Sender{
		fleet: &Fleet{address: Address{Say: said.say}}, now: func() time.Time { return now }, begun: start, unheard: map[string]bool{},
		roster: &roster{seen: map[string]sighting{"a": seen("a", 2), "b": seen("b", 1, "gpu")}},
		needs:  map[string]demand{"any": {}, "g": {Label: "gpu"}, "t": {Label: "tpu"}},
	}
	for _, row := range []struct {
		after                  time.Duration
		running, workers, told int
	}{{6*time.Second - 1, 3, 2, 0}, {6 * time.Second, 3, 2, 1}, {12*time.Second - 1, 3, 2, 1}, {12 * time.Second, 0, 0, 3}, {time.Hour, 0, 0, 3}} {
		now = start.Add(row.after)
		if running, workers := s.Workers(); running != row.running || workers != row.workers || len(said.lines) != row.told {
			t.Errorf("after %s %d prompts of %d workers, told %q", row.after, running, workers, said.lines)
		}
	}
	if said.lines[0] != "no worker serves label tpu, so the prompts that need such a worker are waiting" {
		t.Error(said.lines[0])
	}
}

// A worker takes as many prompts as it has slots, and none once it drains.
func TestTheSlotsOfAWorker(t *testing.T) {
	w := &Worker{slots: 2, running: map[string]map[string]context.CancelCauseFunc{}, batches: map[string]Begin{"over": {State: cancelled}, "spent": {State: exhausted}, "on": {State: open, MaxCost: 3}}}
	w.free = sync.NewCond(&w.mu)
	if !w.enter() || !w.waitForSlot(t.Context()) || !w.enter() || w.enter() {
		t.Error("two slots are not two")
	}
	if w.leave(); w.slots != 1 || w.done != 1 || !w.waitForSlot(t.Context()) {
		t.Errorf("%d slots, %d done", w.slots, w.done)
	}
	over, stop := context.WithCancel(t.Context())
	if stop(); w.waitForSlot(over) {
		t.Error("there is room when all is over")
	}
	w.draining = true
	if w.slots = 0; w.waitForSlot(t.Context()) {
		t.Error("there is room while it drains")
	}
	var causes []error
	cancel := func(cause error) { causes = append(causes, cause) }
	if w.enlist("over", "k", cancel) || w.enlist("spent", "k", cancel) || !w.enlist("on", "k", cancel) || !w.enlist("new", "k", cancel) || !w.enlist("on", "k2", cancel) || len(w.running["on"]) != 2 {
		t.Errorf("%v", w.running)
	}
	w.dismiss("on", "k")
	if w.dismiss("new", "k"); len(w.running) != 1 || len(w.running["on"]) != 1 {
		t.Errorf("%v", w.running)
	}
	if w.maxCost("on", task{MaxCost: 1}) != 3 || w.maxCost("unheard", task{MaxCost: 1}) != 1 {
		t.Error("what a batch may cost is not what its sender said last")
	}
	for is, want := range map[state]error{open: nil, cancelled: errCancelled, exhausted: errExhausted, "": nil} {
		if got := (Begin{State: is}).endReason(); got != want {
			t.Errorf("%s: %v", is, got)
		}
	}
	for err, is := range map[error]bool{
		context.DeadlineExceeded: true, nats.ErrTimeout: true, nats.ErrNoResponders: true, nats.ErrDisconnected: true, nats.ErrConnectionReconnecting: true, nats.ErrReconnectBufExceeded: true,
		nats.ErrStaleConnection: true, jetstream.ErrNoStreamResponse: true, io.EOF: false, context.Canceled: false,
		&jetstream.APIError{Code: 503}: true, &jetstream.APIError{Code: 500}: true, &jetstream.APIError{Code: 404}: false,
	} {
		if got := isTemporary(fmt.Errorf("x: %w", err)); got != is {
			t.Errorf("%v passes: %v", err, got)
		}
	}
}

// A batch may have at most two hundred different demands.
func TestTheKindsOfWorkersOfABatch(t *testing.T) {
	s := &Sender{needs: map[string]demand{}}
	for i := range mostNeeds {
		wanted := demand{Label: fmt.Sprint(i)}
		s.needs[wanted.name()] = wanted
	}
	prompt := batch.Prompt{}
	prompt.Label = "199"
	if name, err := s.ensureConsumer(t.Context(), prompt); err != nil || name != (demand{Label: "199"}).name() {
		t.Errorf("%q, %v", name, err)
	}
	prompt.Label = "200"
	if _, err := s.ensureConsumer(t.Context(), prompt); err == nil || !strings.HasSuffix(err.Error(), "ask for more than 200 different kinds of workers") {
		t.Errorf("%v", err)
	}
}
