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
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// serverWait is how long dial waits for an unreachable server. Scripts often start the server and
// Marvin together, and a server reads its streams before it answers.
const serverWait = 10 * time.Second

// dial connects to the fleet's server. It waits for a server that does not answer yet, but not for
// a server that refuses this client.
func (f *Fleet) dial(ctx context.Context) error {
	options, err := f.address.options()
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, serverWait)
	defer stop()
	for told := false; ; told = true {
		f.conn, err = nats.Connect(f.address.Servers, options...)
		if err == nil {
			f.watchEnd()
			return nil
		}
		if !noServerAnswers(err) || waiting.Err() != nil {
			return f.address.advise(err)
		}
		if !told {
			f.address.Say(fmt.Sprintf("the fleet's server does not answer (%v); waiting up to %s for it", err, serverWait))
		}
		pause(waiting, 200*time.Millisecond)
	}
}

// watchEnd cancels f.life when the connection closes permanently, or when the server reports a
// permission violation.
func (f *Fleet) watchEnd() {
	f.conn.SetClosedHandler(func(conn *nats.Conn) { f.end(f.address.advise(conn.LastError())) })
	f.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) { // other errors need no handling here: the failed calls return them
			f.end(f.address.advise(err))
		}
	})
}

// noServerAnswers reports whether err means that no server answered.
func noServerAnswers(err error) bool {
	var lookup *net.DNSError
	var call *net.OpError
	switch {
	case errors.Is(err, nats.ErrTLS), remoteError(err): // the server refused this client
		return false
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.As(err, &lookup):
		return true
	case errors.Is(err, os.ErrDeadlineExceeded): // the server accepted the connection but sent nothing
		return true
	}
	return errors.As(err, &call) && call.Op == "dial"
}

// remoteError reports whether the other side ended the TLS handshake.
func remoteError(err error) bool {
	var call *net.OpError
	return errors.As(err, &call) && call.Op == "remote error"
}

// advise adds advice to a connection error.
func (a Address) advise(err error) error {
	advice := ""
	var unknown x509.UnknownAuthorityError
	var named x509.HostnameError
	var outdated x509.CertificateInvalidError
	var alert tls.AlertError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrAccountAuthExpired):
		advice = "ask the server's administrator for new credentials (--creds FILE)"
	case errors.Is(err, nats.ErrAuthorization) && a.Creds == "" && a.NKey == "":
		advice = "the server requires a login: give --creds FILE or --nkey FILE"
	case errors.Is(err, nats.ErrAuthorization):
		advice = "the server does not accept " + a.Creds + a.NKey + "; check whether its configuration has this user"
	case errors.Is(err, nats.ErrPermissionViolation):
		advice = fmt.Sprintf("this NATS user needs the rights to publish and subscribe to %s.>, $JS.API.>, $JS.ACK.>, $KV.%s-fleet.> and _INBOX.>", a.Stream, a.Stream)
	case errors.Is(err, nats.ErrNkeysNotSupported):
		advice = "the server has no users with keys; leave out --creds and --nkey, or add such users to its configuration"
	case errors.Is(err, nats.ErrSecureConnWanted):
		advice = "the server has no TLS; use nats://HOST to connect without encryption"
	case errors.As(err, &unknown):
		advice = "give the CA certificates of this server with --ca FILE"
	case errors.As(err, &named), errors.As(err, &outdated):
		advice = "the server needs a certificate that is valid now and matches the name or address in --fleet"
	case errors.As(err, &alert), remoteError(err), errors.Is(err, nats.ErrTLS):
		advice = "the server requires a client certificate: give --cert FILE and --cert-key FILE"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		advice = "enable JetStream for this account in the server's configuration (jetstream: enabled)"
	case noServerAnswers(err):
		advice = "is \"nats-server -js\" running there?"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, advice)
}

func (a Address) options() ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name(a.Name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.Timeout(5 * time.Second), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				a.Say(fmt.Sprintf("the fleet's server does not answer (%v); trying again", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { a.Say("the fleet's server answers again") }),
	}
	switch {
	case a.Creds != "" && a.NKey != "":
		return nil, errors.New("--creds and --nkey both say who you are; give one of them")
	case (a.Cert == "") != (a.Key == ""):
		return nil, errors.New("give --cert and --cert-key together: a certificate and its key")
	}
	if a.Creds != "" {
		if err := readable(a.Creds); err != nil {
			return nil, fmt.Errorf("--creds %s: %w", a.Creds, err)
		}
		options = append(options, nats.UserCredentials(a.Creds))
	}
	if a.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(a.NKey)
		if err != nil {
			return nil, fmt.Errorf("--nkey %s: %w; the file must hold a user seed, which begins with SU", a.NKey, err)
		}
		options = append(options, option)
	}
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		options = append(options, nats.ClientCert(a.Cert, a.Key))
	}
	return options, nil
}

// readable verifies that a file contains NATS credentials.
func readable(creds string) error {
	contents, err := os.ReadFile(creds)
	if err != nil {
		return err
	}
	if _, err := nkeys.ParseDecoratedUserNKey(contents); err != nil {
		return fmt.Errorf("%w; it is not a credentials file; to write one, run nsc generate creds", err)
	}
	return nil
}
