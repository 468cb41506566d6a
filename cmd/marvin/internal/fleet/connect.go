package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Protocol is the version of the messages between workers and senders. A worker answers only
// prompts with its own version.
const Protocol = 1

// Address contains the address of a fleet and the credentials for connecting to it.
type Address struct {
	Servers string // addresses such as nats://HOST or tls://HOST, separated by commas
	Stream  string // the name of the fleet on the server
	Creds   string // a file with credentials
	NKey    string // a file with the seed of an NKey
	CA      string // a file with trusted CA certificates, or "" for the system's certificates
	Cert    string // a file with the client certificate, or "" for none
	Key     string // a file with the private key of Cert
	Name    string // the client's name, which the server's administrators see
	// AckWait is the time after which the server redelivers the prompts of a silent worker.
	AckWait time.Duration
	// Say shows the user a message, for example when the connection is lost or restored.
	Say func(string)
}

// namePattern matches names that can be part of a subject, a stream name or a key.
var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`) })

// ValidName reports whether name is a valid name for a worker, a batch or a fleet.
func ValidName(name string) bool { return namePattern().MatchString(name) }

// Fleet is a connection to a fleet, created by [Open].
type Fleet struct {
	address Address
	conn    *nats.Conn
	js      jetstream.JetStream
	prompts jetstream.Stream
	results jetstream.Stream
	book    jetstream.KeyValue
	// life is canceled when the connection ends permanently. Reconnecting does not cancel life.
	life context.Context
	end  context.CancelCauseFunc
}

// errClosed means that this side closed the connection.
var errClosed = errors.New("the connection to the fleet is closed")

// Lost returns the reason why the connection ended for good, or nil while the connection works or
// is being restored.
func (f *Fleet) Lost() error { return context.Cause(f.life) }

// reason replaces a non-nil error with [Fleet.Lost] if the connection has ended for good.
func (f *Fleet) reason(err error) error {
	if lost := f.Lost(); err != nil && lost != nil {
		return lost
	}
	return err
}

// Open connects to a fleet, and creates its streams if they are missing.
func Open(ctx context.Context, address Address) (*Fleet, error) {
	if !namePattern().MatchString(address.Stream) {
		return nil, fmt.Errorf("--stream %q: a name has at most 40 characters: letters, digits, - and _", address.Stream)
	}
	address.AckWait = cmp.Or(address.AckWait, 30*time.Second)
	fleet := &Fleet{address: address}
	fleet.life, fleet.end = context.WithCancelCause(context.Background())
	if err := fleet.dial(ctx); err != nil {
		return nil, fmt.Errorf("--fleet %s: %w", withoutSecrets(address.Servers), err)
	}
	if err := fleet.open(ctx); err != nil {
		fleet.Close()
		return nil, fmt.Errorf("--fleet %s: %w", withoutSecrets(address.Servers), err)
	}
	return fleet, nil
}

// withoutSecrets removes user names and passwords from a comma-separated list of addresses.
func withoutSecrets(servers string) string {
	list := strings.Split(servers, ",")
	for i, one := range list {
		if at := strings.LastIndexByte(one, '@'); at >= 0 {
			list[i] = one[at+1:]
		}
	}
	return strings.Join(list, ",")
}

func (f *Fleet) open(ctx context.Context) (err error) {
	if f.js, err = jetstream.New(f.conn); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	defer context.AfterFunc(f.life, cancel)()
	defer func() { err = f.reason(f.address.advise(err)) }()
	f.prompts, err = f.stream(ctx, jetstream.StreamConfig{
		Name: f.address.Stream + "-prompts", Subjects: []string{f.address.Stream + ".prompts.>"}, Description: "prompts from marvin batch --fleet",
		Retention: jetstream.WorkQueuePolicy, AllowDirect: true,
	})
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) {
		return errors.New("the server has no JetStream; start the server with nats-server -js")
	}
	if err != nil {
		return fmt.Errorf("set up the stream of prompts: %w", err)
	}
	f.results, err = f.stream(ctx, jetstream.StreamConfig{
		Name: f.address.Stream + "-results", Subjects: []string{f.address.Stream + ".results.>"}, Description: "results of marvin batch --fleet",
		AllowDirect: true, MaxAge: keptFor,
	})
	if err != nil {
		return fmt.Errorf("set up the stream of results: %w", err)
	}
	f.book, err = f.js.KeyValue(ctx, f.address.Stream+"-fleet")
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		f.book, err = f.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: f.address.Stream + "-fleet", LimitMarkerTTL: time.Minute})
		if errors.Is(err, jetstream.ErrBucketExists) {
			f.book, err = f.js.KeyValue(ctx, f.address.Stream+"-fleet")
		}
	}
	if err != nil {
		return fmt.Errorf("set up the fleet's records, which need nats-server 2.11 or newer: %w", err)
	}
	return nil
}

// keptFor is how long the server keeps results that nobody has cleared.
const keptFor = 14 * 24 * time.Hour

// nats-server 2.12.1 releases a lock between looking up a stream and creating it. If two processes
// create the same stream at the same time, one process can get the error storeFailed. This happened
// in some test runs. A later attempt finds the stream.
const (
	storeFailed = jetstream.ErrorCode(10049)
	storeTries  = 10
	storeRest   = 100 * time.Millisecond
)

func (f *Fleet) stream(ctx context.Context, config jetstream.StreamConfig) (jetstream.Stream, error) {
	for try := 1; ; try++ {
		stream, err := findOrCreate(ctx, f.js, config)
		var refused *jetstream.APIError
		if !errors.As(err, &refused) || refused.ErrorCode != storeFailed || try == storeTries {
			return stream, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(storeRest):
		}
	}
}

// findOrCreate returns the stream, and creates it if it is missing. It does not change an existing
// stream, because the owner may have set limits, replicas or the maximum age of results.
func findOrCreate(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) (jetstream.Stream, error) {
	found, err := js.Stream(ctx, config.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return found, err
	}
	return js.CreateOrUpdateStream(ctx, config)
}

// Close ends the connection.
func (f *Fleet) Close() {
	f.end(errClosed)
	f.conn.Close()
}
