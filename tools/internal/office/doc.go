// Package office extracts the text from documents, spreadsheets and slides. It reads OpenDocument,
// and the Microsoft Office formats introduced in 2007; all are zip archives of XML. It runs no
// other program, and neither runs nor fetches anything that a document contains.
package office
