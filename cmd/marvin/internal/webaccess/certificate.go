package webaccess

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"time"

	"marvin/persistence"
)

const (
	valid = 800 * 24 * time.Hour // phones refuse certificates that are valid for more than 825 days
	early = 24 * time.Hour       // a certificate is replaced this long before it expires
)

// certificate returns the certificate stored in home. A certificate that is missing, damaged or
// about to expire is replaced with a new one for the given addresses.
func certificate(home *persistence.Home, addresses []net.IP) (tls.Certificate, error) {
	place, err := dir(home)
	if err != nil {
		return tls.Certificate{}, err
	}
	var made tls.Certificate
	err = persistence.ChangeText(home, filepath.Join(place, "certificate.pem"), func(text string) (string, error) {
		pair, err := tls.X509KeyPair([]byte(text), []byte(text))
		if err == nil && home.Now().Before(pair.Leaf.NotAfter.Add(-early)) {
			made = pair
			return text, nil
		}
		if text, err = create(home.Now(), addresses); err != nil {
			return "", err
		}
		made, err = tls.X509KeyPair([]byte(text), []byte(text))
		return text, err
	})
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("the certificate of the page: %w", err)
	}
	return made, nil
}

// create returns a new self-signed certificate and its private key in PEM format.
func create(now time.Time, addresses []net.IP) (string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return "", err
	}
	form := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Marvin on this machine"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(valid),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IPAddresses: addresses,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		return "", err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})) + string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})), nil
}

// fingerprint returns the SHA-256 fingerprint of a certificate, formatted as browsers show it.
func fingerprint(certificate tls.Certificate) string {
	sum := sha256.Sum256(certificate.Certificate[0])
	parts := make([]string, len(sum))
	for i, one := range sum {
		parts[i] = fmt.Sprintf("%02X", one)
	}
	return strings.Join(parts, ":")
}
