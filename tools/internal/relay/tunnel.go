package relay

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"net"
	"sync"
	"time"
)

// tunnels is a [net.Listener] that accepts the connections passed to its put method.
type tunnels struct {
	address net.Addr
	arrived chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (t *tunnels) put(connection net.Conn) bool {
	select {
	case t.arrived <- connection:
		return true
	case <-t.closed:
		return false
	}
}

func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case connection := <-t.arrived:
		return connection, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

func (t *tunnels) Addr() net.Addr { return t.address }

// makeCertificate makes a key and its certificate for one call. The program accepts this
// certificate for every host, so the certificate needs no names.
func makeCertificate(now time.Time) (certificate tls.Certificate, pin string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return certificate, "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour)}
	encoded, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return certificate, "", err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	hash := sha256.Sum256(public)
	return tls.Certificate{Certificate: [][]byte{encoded}, PrivateKey: key}, base64.StdEncoding.EncodeToString(hash[:]), err
}
