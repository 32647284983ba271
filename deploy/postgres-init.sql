-- Run once by an administrator of PostgreSQL: psql -v password="'...'" -f postgres-init.sql
-- The role may do what the program does, and nothing else: no superuser, no other database.
create role public_reviews login password :password;
create database public_reviews template template0 encoding 'UTF8';
revoke all on database public_reviews from public;
-- Imports stage their rows in temporary tables.
grant connect, temporary on database public_reviews to public_reviews;
\connect public_reviews
revoke all on schema public from public;
-- The program makes its own tables, and changes them when a new version needs others.
grant usage, create on schema public to public_reviews;
